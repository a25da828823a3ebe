import { expect, test } from 'vitest'
import { asksForHelp } from './program-help.ts'

test('a help asked of the program behind -- is not one of the command', () => {
  expect(asksForHelp(['--collection', 'shop', '--help'])).toBe(true)
  expect(asksForHelp(['-h'])).toBe(true)
  expect(asksForHelp(['--collection', 'shop', '--', 'psql', '-h', '127.0.0.1'])).toBe(false)
  expect(asksForHelp(['--collection', 'shop', '--', 'curl', '--help'])).toBe(false)
})
