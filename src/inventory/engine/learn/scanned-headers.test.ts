import { expect, test } from 'vitest'
import { readSampleMessage, ScannedBatch } from '../../../http/index.ts'
import { AUTH_KINDS, authEvidenceOf } from '../../auth-kinds/index.ts'
import { targetOf } from '../place/target.ts'
import { ExchangeView } from './exchange-view.ts'

const examples = AUTH_KINDS.flatMap((kind) => kind.cases.filter(({ headers }) => headers !== undefined))
const batch = new ScannedBatch()

test.each(examples.map((example) => [JSON.stringify(example.headers), example] as const))(
  'credentials are the same in headers that were read in place: %s',
  (requestHeaders) => {
    const message = { method: 'GET', path: '/a', requestHeaders }
    expect(batch.read(Buffer.from(JSON.stringify([message])))).toBe(true)
    const inPlace = batch.exchange(0, 'OTHER', 1)
    const read = readSampleMessage(message, { at: 1 })
    if (inPlace === null || typeof inPlace === 'string' || typeof read === 'string')
      throw new Error('not read')
    const expected = authEvidenceOf(new ExchangeView(read, targetOf(read)))
    expect(authEvidenceOf(new ExchangeView(inPlace, targetOf(inPlace)))).toEqual(expected)
  },
)

test.each([
  { host: 'Shop.example:443' },
  { host: 'shop.example', 'x-forwarded-proto': 'http' },
  { Host: '127.0.0.1:8080' },
  { ':authority': 'a.example' },
  { authority: 'b.example' },
  { host: 'not a host' },
  { host: '' },
  {},
])('the host is the same in headers that were read in place: %j', (headers) => {
  const message = { method: 'GET', path: '/a/b?c=d&e', requestHeaders: JSON.stringify(headers) }
  batch.read(Buffer.from(JSON.stringify([message])))
  const inPlace = batch.exchange(0, 'OTHER', 1)
  const read = readSampleMessage(message, { at: 1 })
  if (inPlace === null || typeof inPlace === 'string' || typeof read === 'string') throw new Error('not read')
  expect(targetOf(inPlace)).toEqual(targetOf(read))
  expect(new ExchangeView(inPlace, targetOf(inPlace)).query).toEqual(
    new ExchangeView(read, targetOf(read)).query,
  )
})
