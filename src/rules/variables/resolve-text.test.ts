import { expect, test } from 'vitest'
import { resolveText } from './resolve-text.ts'
import { Variables } from './variables.ts'

const lists = new Map([
  ['a', ['1', '2', '3']],
  ['b', ['x', 'y']],
])

function all(text: string, variables: Variables): unknown[] {
  const list = resolveText(text, variables, 1000)
  return Array.from({ length: list.length }, (_, i) => list.at(i))
}

test('word lists of one text multiply, the leftmost slowest', () => {
  expect(all('${a}-${b}', new Variables(lists))).toEqual(['1-x', '1-y', '2-x', '2-y', '3-x', '3-y'])
})

test('words stay texts, captured values keep their type', () => {
  const variables = new Variables(lists)
  variables.capture('n', 5)
  expect(all('${a}', variables)[0]).toBe('1')
  expect(all('${n}', variables)).toEqual([5])
  expect(all('v${n}', variables)).toEqual(['v5'])
})

test('a list gives one text for each element, and unknown placeholders stay', () => {
  const variables = new Variables()
  variables.capture('l', ['p', 'q'])
  expect(all('${l}/${unknown}', variables)).toEqual(['p/${unknown}', 'q/${unknown}'])
})

test('a template that is a product is computed, a payload that looks like one is not', () => {
  const variables = new Variables(new Map([['w', ['7 * 7']]]))
  variables.capture('x', 5)
  expect(all('${x} * 2', variables)).toEqual([10])
  expect(all('${w}', variables)).toEqual(['7 * 7'])
  expect(all('{{7*7}}', variables)).toEqual(['{{7*7}}'])
})

test('a context gives all of its keys or values', () => {
  const variables = new Variables()
  variables.capture('context_own', {
    records: [
      { key: 'id', value: '7' },
      { key: 'n', value: '8' },
    ],
  })
  expect(all('${own.value}', variables)).toEqual(['7', '8'])
  expect(all('own.key', variables)).toEqual(['id', 'n'])
})

test('more combinations than allowed are refused before any is made', () => {
  const words = Array.from({ length: 1000 }, (_, i) => String(i))
  const variables = new Variables(
    new Map([
      ['p', words],
      ['q', words],
      ['r', words],
    ]),
  )
  expect(() => resolveText('${p}${q}${r}', variables, 1000)).toThrow('TEMPLATE_TOO_MANY_COMBINATIONS')
})

test('a word that happens to equal the name of a variable is meant as it stands', () => {
  const variables = new Variables(new Map([['w', ['id', 'x']]]))
  variables.capture('id', 'saved')
  expect(all('${w}', variables)).toEqual(['id', 'x'])
  expect(all('id', variables)).toEqual(['saved'])
})
