import { describe, expect, test } from 'vitest'
import { readPlainHeaderText } from './plain-header-text.ts'

describe('plain header text', () => {
  test('thousands of names come back as they are, however they share their slots', () => {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 5000; i++) {
        const name = `x-name-${i}`
        expect(readPlainHeaderText(`{"${name}":"${i}","${name.toUpperCase()}":""}`)).toEqual([
          name,
          String(i),
          name.toUpperCase(),
          '',
        ])
      }
    }
  })

  test('repeated names are kept', () => {
    expect(readPlainHeaderText('{"a":"1","a":"2"}')).toEqual(['a', '1', 'a', '2'])
  })

  test.each([
    ['blanks', '{ "a":"1"}'],
    ['an escape', '{"a":"\\n"}'],
    ['a control character', '{"a":"\n"}'],
    ['another character', '{"a":"é"}'],
    ['a number', '{"a":1}'],
    ['a list', '["a","1"]'],
    ['an object that does not end', '{"a":"1"'],
    ['a text that does not end', '{"a":"1'],
    ['something behind it', '{"a":"1"}x'],
    ['a comma too many', '{"a":"1",}'],
    ['nothing', ''],
    ['great length', `{"a":"${'x'.repeat(20_000)}"}`],
  ])('%s is left to the general reader', (_, text) => {
    expect(readPlainHeaderText(text)).toBeUndefined()
  })
})
