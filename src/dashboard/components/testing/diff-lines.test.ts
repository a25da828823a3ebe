import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const different = (lines: readonly { text: string; isCommon: boolean }[]) =>
  lines.filter(({ isCommon }) => !isCommon).map(({ text }) => text)

test('lines that only one side has are marked, moved and repeated ones too', () => {
  const { before, after } = diffLines(['a', 'b', 'c', 'c'], ['a', 'x', 'c', 'b'])
  expect(different(before)).toEqual(['b', 'c'])
  expect(different(after)).toEqual(['x', 'b'])
  expect(before.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'c'])
})

test('texts without a line, and very long ones, are compared too', () => {
  expect(different(diffLines([], ['a']).after)).toEqual(['a'])
  const long = Array.from({ length: 5_000 }, (_, at) => `line ${at}`)
  expect(different(diffLines(long, [...long.slice(1), 'new']).after)).toEqual(['new'])
})
