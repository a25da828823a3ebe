import { expect, test } from 'vitest'
import { parseTemplate } from '../../src/testing/index.ts'
import { templateText } from '../template-text.ts'
import { judged, posted, sent } from './language-tools.ts'

/** What a test may cost while it is read, in milliseconds of processor time. */
const MAX_CPU_MS = 5_000

function cost(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

function errorsOf(text: string): string[] {
  let messages: string[] = []
  const spent = cost(() => {
    const { template, problems } = parseTemplate(text, 'hostile.yaml')
    expect(template).toBeNull()
    messages = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)
  })
  expect(spent).toBeLessThan(MAX_CPU_MS)
  return messages
}

test('a text over 1 MiB is refused before it is read', () => {
  const text = `${templateText({})}# ${'x'.repeat(1_048_576)}`
  expect(errorsOf(text)).toEqual(['The text is longer than 1048576 characters.'])
})

test('deep nesting is refused, in blocks, in brackets and in lists', () => {
  const blocks = Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}and:`).join('\n')
  for (const text of [blocks, `id: ${'{a: '.repeat(5_000)}`, `id: ${'['.repeat(100_000)}`])
    expect(errorsOf(text).join(' ')).toMatch(/nests deeper than 64 levels|is not YAML|not valid/i)
})

test('anchors are refused, so that no alias can multiply', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(10)}]`),
  ].join('\n')
  expect(errorsOf(bomb).join(' ')).toMatch(/anchor|alias/i)
})

test('a text of very many values is refused', () => {
  const text = templateText({ wordLists: `  w: [${'a,'.repeat(200_000)}]` })
  expect(errorsOf(text).join(' ')).toContain('more than 100000 nodes')
})

test('ten to the ninth combinations send nothing, and say so', () => {
  const ten = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]'
  const names = 'abcdefghi'.split('')
  const wordLists = names.map((name) => `  ${name}: ${ten}`).join('\n')
  const value = names.map((name) => `\${${name}}`).join('')
  let texts: string[] = []
  const spent = cost(() => {
    texts = sent(posted('{"id":7}'), {
      wordLists,
      operations: `        - modify_body_param: {id: "${value}"}`,
    })
  })
  expect(texts).toEqual(['failure: the step has 1000000000 combinations; at most 1000 are sent'])
  expect(spent).toBeLessThan(MAX_CPU_MS)
})

test('words that hold placeholders of each other come to an end', () => {
  const wordLists = '  a: ["${b}${b}"]\n  b: ["${a}${a}"]'
  const spent = cost(() => {
    sent(posted('{"id":7}'), { wordLists, operations: '        - modify_body_param: {id: "${a}"}' })
  })
  expect(spent).toBeLessThan(MAX_CPU_MS)
})

test.each(['(a+)+$', '(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?=(a+)+b)a', '(x+x+)+y'])(
  'the pattern %s is matched in linear time',
  (pattern) => {
    const request = posted(JSON.stringify({ n: `${'a'.repeat(50_000)}!` }))
    const spent = cost(() => {
      judged(`request_payload: { for_one: { value: { regex: '${pattern}' } } }`, { request })
    })
    expect(spent).toBeLessThan(MAX_CPU_MS)
  },
)

test.each([
  ['(a{1000}){1000}', 'about 1002000 states'],
  ['x{1000}'.repeat(1000), 'about 1000000 states'],
  ['a'.repeat(100_000), 'longer than 8192 characters'],
])(
  'a test whose pattern has too many states is refused before it is compiled, with the reason',
  (pattern, why) => {
    const messages = errorsOf(templateText({ filters: `  response_payload: {regex: '${pattern}'}` }))
    expect(messages.join(' ')).toMatch(/^The pattern cannot be used: the pattern/)
    expect(messages.join(' ')).toContain(why)
  },
)

test('many patterns that are large together are refused before they are compiled', () => {
  const patterns = Array.from({ length: 500 }, (_, i) => `'x${i}(?:a?){900}'`).join(', ')
  expect(errorsOf(templateText({ filters: `  response_payload: {regex: [${patterns}]}` }))).toEqual([
    expect.stringContaining('The patterns of the condition have more than 30000 states together'),
  ])
})

test('a pattern of deep groups is bounded or never matches', () => {
  const pattern = `${'('.repeat(2_000)}a${')'.repeat(2_000)}`
  const spent = cost(() => {
    judged(`response_payload: { regex: '${pattern}' }`, { response: 'a'.repeat(1_000) })
  })
  expect(spent).toBeLessThan(MAX_CPU_MS)
})

test('very many requests and operations are refused', () => {
  const many = '    - req: []\n'.repeat(101)
  expect(errorsOf(templateText({ type: 'multiple', requests: many }))).toContain(
    'execute has more than 100 requests.',
  )
  const operations = '        - add_header: {a: "1"}\n'.repeat(501)
  expect(errorsOf(templateText({ operations })).join(' ')).toContain('more than 500 operations')
})
