import { expect, test } from 'vitest'
import { mandatoryWords } from './mandatory-words.ts'

test.each<[string, string[][]]>([
  ['(?i)UNION\\s+SELECT', [[' select'], ['union ']]],
  ['https?://', [['https://', 'http://']]],
  ['(?:cat|tac)\\s+/etc/(?:passwd|shadow)', [['c/passwd', 'c/shadow']]],
  ['a.*b', []],
  ['(?:<script|on(?:load|error)\\s*=)', [['<script', 'onload', 'onerror']]],
  ['ab+c', [['ab'], ['bc']]],
  ['(?:ab)?cd', [['abcd', 'cd']]],
  ['[\'"]\\s*or\\s', [['or '], ['"', "'"]]],
  ['(?!x)select', [['select']]],
  ['é{2}admin', [['admin']]],
  ['(?:x|.)yz', [['yz']]],
  ['\\x{41}bc[\\r\\x{560a}]', [['abc']]],
])('%s holds %j', (source, clauses) => {
  const found = mandatoryWords(source).clauses.map((words) => [...words].sort())
  const expected = clauses.map((words) =>
    words.filter((word) => !words.some((w) => w !== word && word.includes(w))),
  )
  expect(found.sort()).toEqual(expected.map((words) => [...words].sort()).sort())
})

test.each(['\\a{2}bc', '\\07bc', '(a)\\1bc', '[[:alpha:]]bc', '\\pLbc', '\\Qa\\Ebc'])(
  'nothing is claimed of %s',
  (source) => {
    expect(mandatoryWords(source)).toEqual({ clauses: [], signs: null })
  },
)

test('names the signs that a pattern asks for', () => {
  expect([...mandatoryWords('%2e/').signs!]).toEqual(expect.arrayContaining(['%', '/']))
  expect(mandatoryWords('etc[/\\\\]').signs!.has('\\')).toBe(false)
  expect(mandatoryWords('"id"\\s*:').signs!.has('"')).toBe(true)
  expect(mandatoryWords('["`]\\s*(?:or|:)').signs!.has('"')).toBe(false)
  expect(mandatoryWords('[^%]a').signs!.has('%')).toBe(false)
})

test('large alternations stay bounded', () => {
  const words = Array.from({ length: 500 }, (_, i) => `word${i}x`).join('|')
  for (const words_ of mandatoryWords(`(?:${words})\\s+tail`).clauses) expect(words_.length).toBeLessThan(300)
})

test('where side by side too many texts may stand, the end of the first is kept before the second', () => {
  const names = ['abort', 'blur', 'click', 'drag', 'error', 'focus', 'load', 'mouse', 'reset', 'wheel']
  const { clauses } = mandatoryWords(`[\\s/"'\`;+>]on(?:${names.join('|')})\\w*=`)
  expect(clauses[0]).toEqual(names.map((name) => `on${name}`))
})
