import { expect, test } from 'vitest'
import { markedParts, matchedPhrases } from './marked-parts.ts'

const leaf = (observed: string | null, holds = true) => ({
  text: '',
  holds,
  observed,
  line: 0,
  children: [],
})

test('what conditions saw is marked where it stands, the longest first', () => {
  const reason = { ...leaf(null), children: [leaf('"root:x:0"'), leaf('no', true), leaf('other', false)] }
  const phrases = matchedPhrases(reason)
  expect(phrases).toEqual(['root:x:0'])
  expect(markedParts('a root:x:0:root b', phrases)).toEqual([
    { text: 'a ', isMatch: false },
    { text: 'root:x:0', isMatch: true },
    { text: ':root b', isMatch: false },
  ])
  expect(markedParts('', phrases)).toEqual([{ text: '', isMatch: false }])
  expect(markedParts('abcdef', ['abc', 'abcd'])[0]).toEqual({ text: 'abcd', isMatch: true })
})
