import { expect, test } from 'vitest'
import { plainValue } from './node.ts'
import { readYaml } from './read-yaml.ts'

function plain(text: string): unknown {
  const { root, problems } = readYaml(text)
  expect(problems).toEqual([])
  return JSON.parse(JSON.stringify(plainValue(root!)))
}

test('words that YAML 1.1 took for booleans and dates are texts', () => {
  expect(plain('a: yes\nb: 2021-01-01\nc: True\nd: ~\ne: 0x1f\nf: 12\ng: 1.5')).toEqual({
    a: 'yes',
    b: '2021-01-01',
    c: true,
    d: null,
    e: '0x1f',
    f: 12,
    g: 1.5,
  })
})

test('a repeated key keeps its first place and its last value', () => {
  const { root } = readYaml('a: 1\nb: 2\na: 3')
  expect(root?.kind === 'map' && root.entries.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(plain('a: 1\nb: 2\na: 3')).toEqual({ a: 3, b: 2 })
})

test('placeholders are keys, and a lone equals sign is a text', () => {
  expect(plain('${name}: x\nlist:\n  - =')).toEqual({ '${name}': 'x', list: ['='] })
})

test('every node has its place', () => {
  const { root } = readYaml('a:\n  b:\n    - 1\n    - two')
  const list = root?.kind === 'map' && root.entries[0]!.value
  expect(list && list.kind === 'map' && list.entries[0]).toMatchObject({
    keyPlace: { line: 2, column: 3, path: 'a.b' },
    value: {
      items: [{ place: { line: 3, column: 7, path: 'a.b.0' } }, { place: { line: 4, path: 'a.b.1' } }],
    },
  })
})

test.each([
  ['a: &x 1\nb: *x', 'Anchors'],
  [`a: ${'['.repeat(200)}${']'.repeat(200)}`, 'deeper'],
  [`${Array.from({ length: 80 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')}`, 'deeper'],
  ['x'.repeat(1_100_000), 'longer'],
  [`[${'1,'.repeat(120_000)}1]`, 'nodes'],
  ['a: [1', 'not YAML'],
])('a hostile text is refused with a reason (%#)', (text, words) => {
  const { root, problems } = readYaml(text)
  expect(root).toBeNull()
  expect(problems[0]!.message).toContain(words)
})

test.each([
  ['- '.repeat(100_000), 'nests deeper'],
  ['['.repeat(100_000), 'nests deeper'],
  ['a: 1\n---\nb: 2', 'document'],
  ['a: b\n'.repeat(101_000), 'more than 100000 nodes'],
])('refuses %.20s with a sentence', (text, words) => {
  const { root, problems } = readYaml(text)
  expect(root).toBeNull()
  expect(problems[0]!.message).toContain(words)
})
