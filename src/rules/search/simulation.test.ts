import { expect, test } from 'vitest'
import { compilePattern, type Pattern } from '../pattern.ts'
import { NOT_FOUND, type SearchBudget } from './search-budget.ts'

const FREE: SearchBudget = { isSpent: false, check: () => {} }

function compiled(source: string): Pattern {
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return pattern
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
}

/** Texts of these pieces, the same ones each time. */
function texts(pieces: readonly string[], count: number, length: number): string[] {
  let state = 23
  const next = (below: number): number => {
    state = (state * 16_807) % 2_147_483_647
    return state % below
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: next(length) + 1 }, () => pieces[next(pieces.length)]!).join(''),
  )
}

test('the beginning of a match is that of the longest one that ends where the first one ends', () => {
  const pieces = ['a', 'b', '<', '>', ' ', 'on', '=', '7', '😀']
  for (const source of [
    '<[^>]{0,20}on.{0,4}=',
    '(?:ab|b){2,4}7',
    '[a-z]+=',
    '<.*?>',
    '(?s)7.{3,9}7',
    '😀a?b',
    'a|b7',
  ])
    for (const text of texts(pieces, 60, 40)) {
      const search = compiled(source).unitSearch()!
      const units = unitsOf(text)
      const end = search.end(units, 0, units.length, FREE)
      if (end === NOT_FOUND) continue
      const whole = compiled(`^(?:${source})$`)
      const begins = Array.from({ length: end }, (_, i) => i).filter((i) => whole.test(text.slice(i, end)))
      expect([source, text, search.start(units, 0, end, units.length, FREE)]).toEqual([
        source,
        text,
        begins[0],
      ])
    }
})

test('patterns whose states are never met again are found all the same', () => {
  const pieces = ['a', 'b', 'ab', 'ba', 'aab', '<?', 'x(', 'x (', ' ']
  const sources = [
    '[ab]*a[ab]{9}x',
    '<\\?.{0,40}\\bx\\s*\\(',
    '(?:a.{3,17}b){2}x',
    '^[ab<]*a[ab]{12}<',
    'a.{12}\\b\\s<',
  ]
  let found = 0
  for (const text of texts(pieces, 80, 400)) {
    const units = unitsOf(text)
    for (const source of sources) {
      const pattern = compiled(source)
      const isFound = pattern.unitSearch()!.end(units, 0, units.length, FREE) !== NOT_FOUND
      expect([source, text, isFound]).toEqual([source, text, pattern.test(text)])
      if (isFound) found++
    }
  }
  expect(found).toBeGreaterThan(80)
})

test('neither end nor beginning of a match with large counts takes long', () => {
  const search = compiled('(?i)<\\?(?:php)?.{0,300}\\b(?:system|exec|eval)\\s*\\(').unitSearch()!
  const units = unitsOf(`${'<? exec eva system '.repeat(3_000)} eval(`)
  const start = process.cpuUsage()
  const end = search.end(units, 0, units.length, FREE)
  expect(end).toBe(units.length)
  expect(search.start(units, 0, end, units.length, FREE)).toBeLessThan(end - 250)
  expect(process.cpuUsage(start).user).toBeLessThan(300_000)
})

test('a simulation ends with the time of its message', () => {
  const search = compiled('[ab]*a[ab]{13}c').unitSearch()!
  let looks = 0
  const budget = {
    isSpent: false,
    check() {
      this.isSpent = ++looks > 3
    },
  }
  const units = unitsOf(texts(['a', 'b'], 1, 30_000)[0]!.padEnd(20_000, 'ab'))
  expect(search.end(units, 0, units.length, budget)).toBe(NOT_FOUND)
  expect(budget.isSpent).toBe(true)
})
