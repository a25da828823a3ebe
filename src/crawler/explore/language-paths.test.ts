import { expect, test } from 'vitest'
import { LanguagePaths } from './language-paths.ts'

function seen(...paths: readonly string[]): string[] {
  const languages = new LanguagePaths()
  return paths.filter((path) => languages.isTranslation(new URL(path, 'http://shop.test')))
}

test('pages in further languages are translations once two pages were seen in three languages', () => {
  const pages = ['/', '/de', '/fr', '/zh', '/items', '/de/items', '/fr/items', '/zh/items']
  expect(seen(...pages, '/fr/about', '/de/about', '/it')).toEqual(['/zh/items', '/de/about', '/it'])
})

test('English and another language are enough', () => {
  expect(seen('/en/items', '/de/items', '/en', '/pt-BR', '/fr/items')).toEqual(['/pt-BR', '/fr/items'])
})

test('one page of several departments is not a translation', () => {
  expect(
    seen('/hr/dashboard', '/it/dashboard', '/pr/dashboard', '/hr', '/it', '/hr/plan', '/it/plan'),
  ).toEqual([])
  expect(seen('/en/site', '/it/site', '/hr/site', '/it/tickets', '/hr/tickets')).toEqual([])
})

test('a folder whose name is like that of a language is none on its own, and others are none at all', () => {
  expect(seen('/', '/it', '/it/tickets', '/tickets', '/hr')).toEqual([])
  expect(seen('/', '/qq', '/v1', '/xx', '/de', '/items')).toEqual([])
})
