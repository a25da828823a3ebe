import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { collectionName, usualCollection } from './collection-name.ts'

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

it.each([
  ['shop-zap.json', null],
  ['shop-zap.xml', null],
  ['shop-nuclei.jsonl', null],
  ['shop-nuclei.json', null],
  ['shop-access.jsonl', 'shop-access'],
  ['shop-burp-items.xml', 'shop-burp-items'],
])('%s goes to %s when nobody named a collection', (file, expected) => {
  expect(usualCollection(file, readFileSync(`test/fixtures/imports/${file}`, 'utf8'))).toBe(expected)
})
