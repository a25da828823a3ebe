import { expect, test } from 'vitest'
import { sampleMessagesImporter } from './sample-messages.ts'

const message = {
  method: 'GET',
  path: '/a?key=secret',
  requestHeaders: '{"host":"h"}',
  statusCode: '200',
  source: 'SDK',
}
const text = JSON.stringify(message)

function read(input: string, source?: 'BURP') {
  const { exchanges, report } = sampleMessagesImporter.read(input, { at: 5, source })
  return { taken: [...exchanges], report }
}

test.each([
  ['one message', text],
  ['one message over several lines', JSON.stringify(message, null, 2)],
  ['a list', `[${text}]`],
  ['a batch', `{"other":{"x":[1]},"batchData":[${text}]}`],
  ['a line', `${text}\n`],
  ['a list of texts', JSON.stringify([text])],
  ['the nested form', JSON.stringify({ request: { url: '/a', method: 'GET', headers: '{}' }, response: {} })],
])('takes %s', (_name, input) => {
  const { taken, report } = read(input)
  expect(taken.map((one) => one.what)).toEqual(['GET /a'])
  expect(report).toMatchObject({ total: 1, taken: 1, fatal: undefined })
})

test('keeps the source of a message unless the import names one', () => {
  expect(read(text).taken[0]?.exchange.source).toBe('SDK')
  expect(read(text, 'BURP').taken[0]?.exchange.source).toBe('BURP')
})

test('loses only broken lines, with their numbers', () => {
  const { taken, report } = read(
    `${text}\n{"method":\n${text}\n{"a":1}\n\n${text}\n{"method":"GET","path":"/cut`,
  )
  expect(taken.map((one) => one.where)).toEqual(['line 1', 'line 3', 'line 6'])
  expect(report.skipped.map((one) => one.where)).toEqual(['line 2', 'line 4', 'line 7'])
  expect(report.skipped[2]?.reason).toBe('a string is never closed (line 7)')
})

test('takes everything before a cut in a list', () => {
  const { taken, report } = read(`{"batchData":[${text},${text},{"method":"G`)
  expect(taken).toHaveLength(2)
  expect(report.fatal?.where).toMatch(/byte \d+$/)
  expect(report.skipped[0]?.where).toBe('/batchData/2 (line 1)')
})

test('tells method and path of a refused message, without its query', () => {
  const { report } = read(JSON.stringify([{ ...message, requestHeaders: 5 }]))
  expect(report.skipped[0]).toMatchObject({
    what: 'GET /a',
    reason: '"requestHeaders" is not a map of header names to values',
  })
})

test.each(['"text"', '5', 'x', '{"batchData":{}}'])('refuses %s', (input) => {
  expect(() => read(input)).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})
