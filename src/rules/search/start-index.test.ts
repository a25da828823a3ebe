import { expect, test } from 'vitest'
import { compilePattern, type Pattern } from '../pattern.ts'
import type { SearchBudget } from './search-budget.ts'
import { StartIndex } from './start-index.ts'
import type { UnitSearch } from './unit-search.ts'

const FREE: SearchBudget = { isSpent: false, check: () => {} }
const PIECES = [
  ...'aAbkKsoO7 \n\t\'"<>(){}=:;./\\|$-_\0\u00a0éß\u017f\u212a',
  ...['😀', '\ud83d', '\ude00', 'or ', 'on', 'ab', '<script', '../', '${', '--', 'select '],
]
const PATTERNS = [
  'a',
  'ab|7',
  '(?i)\\bor\\b\\s*\\d',
  '(?i)<[a-z][^>]*[\\s/]on\\w+\\s*=',
  '(?m)^a',
  '(?m)b$',
  '(?:^|[/=])\\.\\.[/\\\\]',
  '\\B-',
  '[^a]b',
  '\\s\\d',
  '\\W\\w',
  '(?i)k\\b',
  'é|ß',
  '😀+',
  '[\\x{1f600}-\\x{1f64f}]\\s',
  '(?i)select\\s+.{0,9}from|\\$\\{',
  '(?s)\\(.*\\)',
  '[\'"]\\s*$',
  'a{2,3}b|<.{3,9}>',
  '\\w+:',
]

function compiled(source: string): { pattern: Pattern; search: UnitSearch } {
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return { pattern, search: pattern.unitSearch()! }
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
}

/** Texts that hold beginnings of everything, the same ones each time. */
function texts(count: number): string[] {
  let state = 11
  const next = (below: number): number => {
    state = (state * 16_807) % 2_147_483_647
    return state % below
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: next(120) }, () => PIECES[next(PIECES.length)]!).join(''),
  )
}

test('a search that starts where matches may begin finds what the whole pattern finds, with an index and without', () => {
  const searches = PATTERNS.map(compiled)
  const index = new StartIndex()
  let found = 0
  for (const text of texts(400)) {
    // What stands around a run is no part of it.
    const units = unitsOf(`a7${text}a7`)
    const to = 2 + text.length
    index.clear()
    const run = index.add(units, 2, to)
    for (const { pattern, search } of searches) {
      const end = search.end(units, 2, to, FREE)
      const said = [search.end(units, 2, to, FREE, index, run), end >= 0]
      expect([pattern.source, text, ...said]).toEqual([pattern.source, text, end, pattern.test(text)])
      if (end >= 0) found++
    }
  }
  expect(found).toBeGreaterThan(500)
})

test('runs stand side by side, and are forgotten together', () => {
  const index = new StartIndex()
  const { search } = compiled('(?i)union\\s+select')
  const units = unitsOf(`${'select union '.repeat(30)}union select`)
  for (let round = 0; round < 3; round++) {
    index.clear()
    const whole = index.add(units, 0, units.length)
    const begin = index.add(units, 0, 300)
    expect(search.end(units, 0, 300, FREE, index, begin)).toBe(search.end(units, 0, 300, FREE))
    expect(search.end(units, 0, units.length, FREE, index, whole)).toBe(
      search.end(units, 0, units.length, FREE),
    )
  }
})

test('has room for a fixed number of units, and rejects a run beyond it', () => {
  const index = new StartIndex()
  const units = new Uint16Array(70_000).fill(97)
  expect(index.add(units, 0, 70_000)).toBeNull()
  expect(index.add(units, 5, 5)).toBeNull()
  for (let i = 0; i < 16; i++) expect(index.add(units, 0, 65_536)).not.toBeNull()
  expect(index.add(units, 0, 100)).toBeNull()
  index.clear()
  expect(index.add(units, 0, 100)).not.toBeNull()
})
