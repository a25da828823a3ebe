import { expect, test } from 'vitest'
import { matchingPages, palettePages } from './palette-pages.ts'

test('pages are found by their label and by other words for them', () => {
  expect(matchingPages('PII').map(({ to }) => to)).toEqual(['/apis/sensitive', '/apis/all?sensitive=yes'])
  expect(matchingPages('new scan').map(({ label }) => label)).toEqual(['page.newRun'])
  expect(matchingPages('no such page')).toEqual([])
  expect(matchingPages('')).toEqual(palettePages)
})

test('no letter opens two pages', () => {
  const letters = palettePages.flatMap(({ letter }) => letter ?? [])
  expect(new Set(letters).size).toBe(letters.length)
})
