import { expect, test } from 'vitest'
import { WordAutomaton } from './word-automaton.ts'

function found(words: readonly string[], text: string): string[] {
  const automaton = new WordAutomaton(new Map(words.map((word, i) => [word, [i]])))
  const { classes, table, width, entries } = automaton
  const names: string[] = []
  let row = 0
  for (let i = 0; i < text.length; i++) {
    let next = table[row + classes[text.charCodeAt(i)]!]!
    if (next < 0) {
      const state = ~next
      next = state * width
      for (let at = entries.starts[state]!; at < entries.starts[state + 1]!; at++)
        names.push(words[entries.values[at]!]!)
    }
    row = next
  }
  return [...new Set(names)].sort()
}

const WORDS = ['he', 'she', 'his', 'hers', '../', '<script', 'ers', 'kk', 'union select', 'on']

test.each([
  ['ushers', ['ers', 'he', 'hers', 'she']],
  ['HIS <Script>', ['<script', 'his']],
  ['..\\../', ['../']],
  ['K\u212a', ['kk']],
  ['x\u4e00y', []],
  ['UNION UNION select', ['on', 'union select']],
])('%s holds %j', (text, expected) => {
  expect(found(WORDS, text)).toEqual(expected)
})

test('finds what a search for each word finds', () => {
  const letters = ['a', 'b', 'c']
  const words: string[] = []
  for (let n = 0; n < 60; n++) {
    let word = ''
    for (let i = 0, rest = n * 7 + 3; i < 2 + (n % 4); i++, rest = Math.floor(rest / 3) + n)
      word += letters[rest % 3]
    if (!words.includes(word)) words.push(word)
  }
  let text = ''
  for (let i = 0, seed = 5; i < 300; i++) {
    seed = (seed * 16_807) % 2_147_483_647
    text += letters[seed % 3]
    const tail = text.slice(-40)
    expect(found(words, tail)).toEqual(words.filter((word) => tail.includes(word)).sort())
  }
})
