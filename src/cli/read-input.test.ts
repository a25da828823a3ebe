import { expect, test } from 'vitest'
import { withoutSecrets } from './read-input.ts'

test.each([
  ['https://user:secret@shop.test/api.yaml?token=abc#part', 'https://shop.test/api.yaml'],
  ['grpcs://user:secret@shop.test:50051', 'grpcs://shop.test:50051'],
  ['docs/api.yaml?token=abc', 'docs/api.yaml?token=abc'],
])('reports name %s as %s', (given, shown) => {
  expect(withoutSecrets(given)).toBe(shown)
})
