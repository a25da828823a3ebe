import { expect, test } from 'vitest'
import { LineCursor, linePosition } from './line-position.ts'

test('gives line and column of every offset, forwards, backwards and at random', () => {
  const text = '\n\nab\n\nc\r\nlast'
  const expected = [...text].map((_, i) => {
    const before = text.slice(0, i).split('\n')
    return { line: before.length, column: before.at(-1)!.length + 1 }
  })
  const forwards = new LineCursor(text)
  expect(expected.map((_, i) => forwards.at(i))).toEqual(expected)
  expect(expected.map((_, i) => forwards.at(expected.length - 1 - i)).reverse()).toEqual(expected)
  for (const i of [5, 0, 9, 2, 11, 1]) expect(forwards.at(i)).toEqual(expected[i])
  expect(linePosition(text, 3)).toEqual({ line: 3, column: 2 })
})
