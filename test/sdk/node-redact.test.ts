import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

interface Redactor {
  path(path: string): string
  body(bytes: Buffer, contentType: string): string
}

/** Not part of the interface of the package, so it has no types. */
const { createRedactor } = (await import(new URL('../../sdk/node/redact.js', import.meta.url).href)) as {
  createRedactor(options: { redactHeaders: string[]; redactFields: string[] }): Redactor
}
const redactor = (): Redactor => createRedactor({ redactHeaders: [], redactFields: [] })
const json = (text: string): string => redactor().body(Buffer.from(text), 'application/json')

test.for([
  ['{"user":{"password":"x"},"user":1}', '{"user":1}'],
  ['{"password":"x","password":"y"}', '{"password":"[redacted]"}'],
  ['[{"a":[{"token":"x"}],"a":[]}]', '[{"a":[]}]'],
] as const)('a repeated name hides no secret: %s', ([text, sent]) => {
  expect(json(text)).toBe(sent)
})

test('a document without secrets is sent as it is, or without its white space', () => {
  expect(json('{"a":[1,"b",null]}')).toBe('{"a":[1,"b",null]}')
  expect(json('{ "a": [1, "b"],\n "c": {} }')).toBe('{"a":[1,"b"],"c":{}}')
})

test.runIf('rawJSON' in JSON)('numbers keep their digits, beside secrets too', () => {
  expect(json('{"id": 12345678901234567890, "price": 1.0}')).toBe('{"id":12345678901234567890,"price":1.0}')
  expect(json('{"id":12345678901234567890,"pin":1234}')).toBe(
    '{"id":12345678901234567890,"pin":"[redacted]"}',
  )
})

test.for([
  ['long field names', (one: Redactor, i: number) => one.body(longName(i), 'application/json')],
  ['long query strings', (one: Redactor, i: number) => one.path(`/?a_name_of_some_length_${i}=${filler(i)}`)],
] as const)('%s are not held in memory', ([, see]) => {
  setFlagsFromString('--expose-gc')
  const garbage = runInNewContext('gc') as () => void
  // V8 keeps layouts of objects, with the names in them, for a few collections.
  const collect = (): void => {
    for (let i = 0; i < 5; i++) garbage()
  }
  const one = redactor()
  see(one, 0)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 300; i++) see(one, i)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000)
  expect(one.path('/?token=x')).toBe('/?token=%5Bredacted%5D')
})

function filler(i: number): string {
  return 'y'.repeat(30_000) + i
}

function longName(i: number): Buffer {
  return Buffer.from(`{"${filler(i)}":1}`)
}
