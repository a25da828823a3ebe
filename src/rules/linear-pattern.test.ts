import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { compilePattern } from './pattern.ts'
import { withinBudget } from './search/pattern-budget.ts'
import type { SearchBudget } from './search/search-budget.ts'

const MIB = 1024 * 1024

function compiled(source: string) {
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return pattern
}

/** Is spent after a number of looks at the clock, which stand for time. */
class Looks implements SearchBudget {
  looks = 0
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get isSpent(): boolean {
    return this.looks >= this.#most
  }

  check(): void {
    this.looks++
  }
}

function failureOf(work: () => unknown): Failure | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Letters with a `c` now and then, always 401 places behind a `b`. */
function withoutMatch(): string {
  const letters: string[] = []
  for (let state = 7; letters.length < MIB; ) {
    state = (state * 16_807) % 2_147_483_647
    const isLate =
      letters.length % 1_000 > 900 && letters.at(-401) === 'b' && !letters.slice(-401).includes('c')
    letters.push(isLate ? 'c' : state % 3 === 0 ? 'a' : 'b')
  }
  return letters.join('')
}

describe('a search whose budget is spent is given up, and says of which pattern', () => {
  test.each([
    ['states without end', 'a[ab]{400}c', withoutMatch()],
    ['states without end, with groups', '(a)([ab]{400})(?:c|d)', withoutMatch()],
    ['look-ahead', '(?=a+b)a+', 'a'.repeat(1_000_000)],
    ['look-behind', '(?<=a{1,50})b', 'a'.repeat(400_000)],
  ])('%s', (_what, source, text) => {
    const budget = new Looks(5)
    const searches: (() => unknown)[] = [
      () => compiled(source).test(text),
      () => compiled(source).find(text),
      () => compiled(source).findAll(text, 10),
      () => compiled(source).replaceAll(text, 'x'),
    ]
    for (const search of searches) {
      budget.looks = 0
      const failure = failureOf(() => withinBudget(search, budget))
      expect(failure).toMatchObject({
        code: 'PATTERN_OVER_BUDGET',
        details: { pattern: source, reason: 'exceeded its time budget' },
      })
      expect(budget.looks).toBeLessThan(10)
    }
  })
})

test('looking around in a text that is too long for it is refused instead of reading its beginning only', () => {
  const text = `${'a'.repeat(9 * MIB)}needle`
  expect(failureOf(() => compiled('(?<=a)needle(?!x)').test(text))?.details).toMatchObject({
    reason: expect.stringMatching(/^cannot be searched for in more than \d+ characters$/),
  })
})

test('many small searches share the budget of their condition', () => {
  const budget = new Looks(2)
  const pattern = compiled('(?:a?){40}b')
  const searches = (): void => {
    for (let i = 0; i < 1_000; i++) pattern.test('a'.repeat(2_000))
  }
  expect(failureOf(() => withinBudget(searches, budget))?.code).toBe('PATTERN_OVER_BUDGET')
})

/** Every n-th token of a list that repeats without a period. */
function mixed(tokens: readonly string[], length: number): string {
  let text = ''
  for (let state = 7; text.length < length; ) {
    state = (state * 16_807) % 2_147_483_647
    text += tokens[state % tokens.length]!
  }
  return text
}

describe('a long text gives the matches that re2js finds', () => {
  const text = mixed(
    ['id=', '77', ' ', 'Error: x', '\n    at f (a.js:1:2)', 'abcdef', 'cd', '\u{1f600}', 'é', '"'],
    90_000,
  )
  test.each([
    'id=([0-9]+)',
    '(?i)ERROR: (\\w)',
    'abcdef|cd',
    'cd|abcdef',
    '\\n\\s+at (\\w) \\(([^)]+)\\)',
    '\\bcd\\b',
    '^id=',
    '(?m)^\\s+at',
    '(?m)\\)$',
    '\\d*',
    '[^\\x00-\\x7f]+',
    'é.{0,12}7{2,}',
    '(?:never|there)',
  ])('%s', (source) => {
    const pattern = compiled(source)
    const re2 = RE2JS.compile(source)
    const matcher = re2.matcher(text)
    const wanted: string[] = []
    while (wanted.length < 300 && matcher.find())
      wanted.push((re2.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? '')
    expect(pattern.findAll(text, 300)).toEqual(wanted)
    expect(pattern.test(text)).toBe(wanted.length > 0)
    const first = re2.matcher(text)
    expect(pattern.find(text)).toEqual(first.find() ? [first.start(), first.end()] : null)
  })
})

test('replaces in long texts as in short ones', () => {
  const text = `/v1/${'a'.repeat(300_000)}/v2/`
  expect(compiled('/v(\\d)/').replaceAll(text, '/w$1\\$/')).toBe(`/w1$/${'a'.repeat(300_000)}/w2$/`)
})
