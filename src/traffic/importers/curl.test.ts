import { expect, test } from 'vitest'
import { curlImporter } from './curl.ts'

test('takes every command with its line and tells what was not followed', () => {
  const text = `# Orders\ncurl -d @x.json https://h/1?key=secret\n\ncurl 'https://h/2\ncurl https://h/3 https://h/4\n`
  const { exchanges, report } = curlImporter.read(text, { at: 5 })
  const taken = [...exchanges].map((one) => `${one.index} ${one.where} ${one.what}`)
  expect(taken).toEqual(['0 line 2 POST https://h/1', '2 line 5 GET https://h/3', '2 line 5 GET https://h/4'])
  expect(report).toMatchObject({ total: 3, taken: 2, takenWithWarnings: 1 })
  expect(report.skipped[0]).toMatchObject({ index: 1, where: 'line 4', reason: 'a quote is never closed' })
  expect(report.warnings[0]).toMatchObject({ index: 0, reason: 'a body from a file is left empty' })
})

test('refuses a text without commands', () => {
  expect(() => curlImporter.read('I like curl')).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})
