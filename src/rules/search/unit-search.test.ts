import { describe, expect, test } from 'vitest'
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

const PATTERNS = [
  'ab',
  'a|b7',
  '^a',
  'a$',
  '^$',
  '(?m)^b$',
  '\\bab\\b',
  'a\\B',
  '(?i)AB-',
  '[^a]b',
  'a.b',
  '(?s)a.b',
  '(?:ab)+7',
  'a{2,3}b',
  'a.{7,9}b|b{1,8}7',
  '[a{0,9}]b\\{0,9}',
  '(a|b)*7$',
  '\\s\\d',
  '(?i)k\\b',
  'é|ß',
  '😀+',
  '\\W\\w',
]

/** Every text of up to five of some letters, and a few beyond them. */
function texts(): string[] {
  const letters = ['a', 'b', '7', ' ', '-', '\n']
  let layer = ['']
  const all = ['', 'É é', 'ß', 'x😀😀', '\u212a', 'xK', 'a😀b', '\ud83d', 'A\u00a0B']
  for (let length = 1; length <= 5; length++) {
    layer = layer.flatMap((text) => letters.map((letter) => text + letter))
    all.push(...layer)
  }
  return all
}

describe('finds what the compiled pattern finds', () => {
  const all = texts()
  test.each(PATTERNS)('%s', (source) => {
    const pattern = compiled(source)
    const search = pattern.unitSearch()!
    const { clauses } = pattern.words
    for (const text of all) {
      const padded = `xx${text}yy`
      const end = search.end(unitsOf(padded), 2, 2 + text.length, FREE)
      expect([text, end !== NOT_FOUND]).toEqual([text, pattern.test(text)])
      if (end === NOT_FOUND) continue
      const start = search.start(unitsOf(padded), 2, end, 2 + text.length, FREE)
      expect([text, start <= end, pattern.test(text.slice(0, end - 2) + text.slice(end - 2))]).toEqual([
        text,
        true,
        true,
      ])
      const folded = text.toLowerCase()
      for (const clause of clauses)
        expect([text, clause.some((word) => folded.includes(word))]).toEqual([text, true])
    }
  })
})

test('says where a match stands', () => {
  const units = unitsOf('id=1 UNION  ALL select 2')
  const search = compiled('(?i)\\bunion\\s+(?:all\\s+)?select\\b').unitSearch()!
  const end = search.end(units, 0, units.length, FREE)
  expect([search.start(units, 0, end, units.length, FREE), end]).toEqual([5, 22])
})

test.each(['(a+)+$', '^(a|aa)+$', '(?:a|b)*a(?:a|b){9}c', '(a*)*b{1,9}c'])(
  '%s takes linear time',
  (source) => {
    const search = compiled(source).unitSearch()!
    const units = unitsOf(`${'a'.repeat(200_000)}!`)
    const start = process.cpuUsage()
    expect(search.end(units, 0, units.length, FREE)).toBe(NOT_FOUND)
    expect(process.cpuUsage(start).user).toBeLessThan(500_000)
  },
)

test('keeps a bound on its states, and finds matches all the same', () => {
  const search = compiled('[ab]*a[ab]{13}c').unitSearch()!
  const units = unitsOf(`${randomLetters(20_000)}abbbbbbbbbbbbbc`)
  expect(search.end(units, 0, units.length, FREE)).toBe(units.length)
})

test('counts that texts never reach make no states', () => {
  const search = compiled('(?i)<[a-z][^>]{0,200}\\bon\\w{3,20}=|ab.{1,120}ba.{1,120}c').unitSearch()!
  const units = unitsOf(randomLetters(100_000))
  const start = process.cpuUsage()
  expect(search.end(units, 0, units.length, FREE)).toBe(NOT_FOUND)
  expect(process.cpuUsage(start).user).toBeLessThan(300_000)
})

test('gives up at the deadline', () => {
  const search = compiled('[ab]*a[ab]{13}c').unitSearch()!
  const budget = {
    isSpent: false,
    check() {
      this.isSpent = true
    },
  }
  const units = unitsOf(randomLetters(2_000))
  expect(search.end(units, 0, units.length, budget)).toBe(NOT_FOUND)
  expect(budget.isSpent).toBe(true)
})

function randomLetters(count: number): string {
  let text = ''
  for (let i = 0, seed = 7; i < count; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    text += seed > 1_073_741_824 ? 'a' : 'b'
  }
  return text
}

test('many patterns together keep a bound on what they hold', () => {
  const units = unitsOf(randomLetters(3_000))
  const searches = Array.from(
    { length: 60 },
    (_, i) => compiled(`[ab]*a[ab]{5}b[ab]{${6 + (i % 5)}}c${i}`).unitSearch()!,
  )
  const before = process.memoryUsage().arrayBuffers
  for (const search of searches) expect(search.end(units, 0, units.length, FREE)).toBe(NOT_FOUND)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1_048_576)
  const match = unitsOf(`${randomLetters(100)}aaaaaabaaaaaac0`)
  expect(searches[0]!.end(match, 0, match.length, FREE)).not.toBe(NOT_FOUND)
})
