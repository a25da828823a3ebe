import { describe, expect, test } from 'vitest'
import { compileLookAround } from './look-around-pattern.ts'

function compiled(source: string) {
  const pattern = compileLookAround(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return pattern
}

const PATTERNS = [
  'a(?=b)',
  'a(?!b)',
  '(?<=a)b',
  '(?<!a)b',
  '^(?!.*x).*$',
  '^(?=.*[a-c])(?=.*\\d).+$',
  '(?<![\\w-])77(?![\\w-])',
  '(?=.*\\bab\\b)(?=.*\\bba\\b)|c(?=\\d)',
  '(a|ab)(?=c|bc)(b?)',
  '(?<=(?<!b)a)b+?',
  '(?=(a+))a*b\\B',
  '(?!)|a{2,3}(?=b)',
  '(?:(?=a)a|b)*(?<=b)',
  '[^\\]a]+(?!a)',
  '(?s:.)(?=\\n)',
]

/** Every text of up to five of these letters. */
function texts(): string[] {
  const letters = ['a', 'b', 'c', '7', ' ', '-', '\n']
  let layer = ['']
  const all = ['']
  for (let length = 1; length <= 4; length++) {
    layer = layer.flatMap((text) => letters.map((letter) => text + letter))
    all.push(...layer)
  }
  return all
}

describe('finds what the built-in engine finds', () => {
  test.each(PATTERNS)('%s', (source) => {
    const pattern = compiled(source)
    const builtIn = new RegExp(source.replace('(?s:.)', '[^]'), 'g')
    for (const text of texts()) {
      const expected = [...text.matchAll(builtIn)].map((match) => [match.index, match[0]])
      const found = Array.from(pattern.matches(text), (marks) => [marks[0], text.slice(marks[0], marks[1])])
      expect([text, found]).toEqual([text, expected])
      expect(pattern.test(text)).toBe(expected.length > 0)
    }
  })
})

test('ignores case, and takes flags for a group or to its end', () => {
  expect(compiled('(?i)deny(?!x)').test('DENYx DeNy')).toBe(true)
  expect(compiled('(?i:de)ny(?!x)').test('DENY')).toBe(false)
  expect(compiled('a(?i)b(?-i)c(?=d)').test('aBcd')).toBe(true)
})

test.each([
  '(a)\\1(?=b)',
  'a++(?=b)',
  '(?>a)(?=b)',
  '(?=a',
  'a)(?=b)',
  '[a(?=b)',
  '*(?=a)',
  '(?x)a(?=b)',
  '\\p{L}(?=a)',
])('refuses %s', (source) => {
  expect(typeof compileLookAround(source)).toBe('string')
})

test('patterns that explode elsewhere take linear time', () => {
  const text = `${'a'.repeat(50_000)}!`
  const start = process.cpuUsage()
  expect(compiled('^(?=(a+)+$)').test(text)).toBe(false)
  expect(compiled('(?!b)(a|aa)+$').test(text)).toBe(false)
  expect(compiled('(?<!b)(a*)*c').test(text)).toBe(false)
  expect([...compiled('a(?=.)|(?=a)').matches(text)]).toHaveLength(50_000)
  expect(process.cpuUsage(start).user).toBeLessThan(3_000_000)
  expect(typeof compileLookAround('((a{1000}){1000}){1000}(?=b)')).toBe('string')
})
