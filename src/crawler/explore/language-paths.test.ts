import { expect, test } from 'vitest'
import { LanguagePaths } from './language-paths.ts'

function seen(...paths: readonly string[]): string[] {
  const languages = new LanguagePaths()
  return paths.filter((path) => languages.isTranslation(new URL(path, 'http://shop.test')))
}

test('pages in further languages are translations once three languages of one page were seen', () => {
  expect(seen('/', '/de', '/fr', '/zh', '/items', '/de/items', '/fr/about', '/de/about')).toEqual([
    '/zh',
    '/de/items',
    '/de/about',
  ])
})

test('English and another language are enough', () => {
  expect(seen('/en/items', '/de/items', '/en', '/pt-BR')).toEqual(['/de/items', '/pt-BR'])
})

test('a folder whose name is like that of a language is none on its own, and others are none at all', () => {
  expect(seen('/', '/it', '/it/tickets', '/tickets', '/hr')).toEqual([])
  expect(seen('/', '/qq', '/v1', '/xx', '/de', '/items')).toEqual([])
})
