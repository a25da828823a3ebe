import { expect, test } from 'vitest'
import { markedParts, maskedParts, matchedPhrases } from './marked-parts.ts'

const leaf = (observed: string | null, holds = true) => ({
  text: '',
  holds,
  observed,
  line: 0,
  children: [],
})

test('what conditions saw is marked where it stands, the longest first', () => {
  const reason = { ...leaf(null), children: [leaf('"root:x:0"'), leaf('no', true), leaf('other', false)] }
  const phrases = matchedPhrases(reason, [])
  expect(phrases).toEqual(['root:x:0'])
  expect(markedParts('a root:x:0:root b', phrases)).toEqual([
    { text: 'a ', isMatch: false },
    { text: 'root:x:0', isMatch: true },
    { text: ':root b', isMatch: false },
  ])
  expect(markedParts('', phrases)).toEqual([{ text: '', isMatch: false }])
  expect(markedParts('abcdef', ['abc', 'abcd'])[0]).toEqual({ text: 'abcd', isMatch: true })
})

test('what a pattern matched is marked, and patterns that could take forever are not tried', () => {
  const lines = ['answer: root:x:0:0:root', 'nothing']
  const regex = (text: string) => ({ ...leaf(null), text })
  expect(matchedPhrases(regex('regex root:[x*]?:0:0:'), lines)).toEqual(['root:x:0:0:'])
  expect(matchedPhrases(regex('regex (o+)+x'), lines)).toEqual([])
  expect(matchedPhrases(regex('regex (unclosed'), lines)).toEqual([])
  expect(matchedPhrases(regex('contains_either nothing'), lines)).toEqual(['nothing'])
})

test('masked values are found with their first signs and their digest', () => {
  expect(maskedParts('authorization: Bear***1a2b3c')).toEqual(['authorization: ', 'Bear***1a2b3c', ''])
  expect(maskedParts('{"card":"****","n":1}')).toEqual(['{"card":"', '****', '","n":1}'])
  expect(maskedParts('pin=****&n=1')).toEqual(['pin=', '****', '&n=1'])
  for (const text of ['a * b ** c', 'a ***bold*** word', '***decade***', '/*****/', '"***"']) {
    expect(maskedParts(text)).toEqual([text])
  }
})
