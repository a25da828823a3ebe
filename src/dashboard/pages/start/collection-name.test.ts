import { describe, expect, it } from 'vitest'
import { collectionName } from './collection-name.ts'

describe('collectionName', () => {
  it.each([
    ['juiceshop.har', 'juiceshop'],
    ['shop.openapi.yaml', 'shop'],
    ['Mein Größter Export (2).json', 'Mein Gro-ter Export -2'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.har', 'import'],
    ['日本.json', 'import'],
    [`${'a'.repeat(90)}.har`, 'a'.repeat(60)],
  ])('makes a name of %s', (file, expected) => {
    expect(collectionName(file)).toBe(expected)
  })
})
