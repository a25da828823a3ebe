import { expect, test } from 'vitest'
import { UsualMessages } from '../../http/index.ts'
import { streamParts } from './stream-parts.ts'

const usual = new UsualMessages()
const decoder = new TextDecoder()
const message = JSON.stringify({
  method: 'GET',
  path: '/orders/7',
  requestHeaders: '{"host":"shop.example"}',
  statusCode: '200',
  ip: '203.0.113.9',
  time: '1795000000',
})

/** The JSON that goes to the inventory, message by message, and the reasons of records that are not messages. */
function partsOf(...values: string[]) {
  const records = values.map((value, index) => ({ id: `r${index}`, value: new TextEncoder().encode(value) }))
  return [...streamParts(records, usual)].map((part) => ({
    messages: JSON.parse(decoder.decode(part.bytes())) as unknown,
    deliveries: part.deliveries,
    letters: part
      .deadLetters(part.deliveries.map((_, index) => ({ index, reason: 'refused' })))
      .map(({ id, reason }) => `${id}: ${reason}`),
  }))
}

test('messages of the usual form are one part', () => {
  const parsed = JSON.parse(message) as unknown
  expect(partsOf(message, message)).toEqual([
    { messages: [parsed, parsed], deliveries: ['r0', 'r1'], letters: ['r0: refused', 'r1: refused'] },
  ])
})

test.each([
  ['a text that is not JSON', '{'],
  ['two messages in one record', `${message},${message}`],
  ['a record that ends in the middle', message.slice(0, -1)],
  ['a message after a byte order mark', `\uFEFF${message}`],
  ['a list after a byte order mark', `\uFEFF[${message}]`],
])('beside messages, %s is a dead letter', (_, odd) => {
  const [part] = partsOf(message, odd, message)
  expect(part!.messages).toEqual([JSON.parse(message), null, JSON.parse(message)])
  expect(part!.deliveries).toEqual(['r0', 'r1', 'r2'])
  expect(part!.letters[1]).toBe('r1: the record is not JSON in UTF-8')
})

test('two records that are one message only together are two dead letters', () => {
  const halves = ['{"method":"GET"', '"path":"/orders"}', `${message},${message}`]
  expect(partsOf(...halves)).toMatchObject([{ messages: [null, null, null], deliveries: ['r0', 'r1', 'r2'] }])
})

test('batches, control records and messages of other forms are read beside messages of the usual form', () => {
  const other = '{"request":{"method":"GET"},"tries":1.5}'
  const batch = `{"batchData":[${message}]}`
  expect(
    partsOf(message, '{"group_name":"lab"}', batch, `[${message}]`, other, ` ${message}\n`),
  ).toMatchObject([{ deliveries: ['r0', 'r2 0', 'r3 0', 'r4', 'r5'] }])
  expect(partsOf('{"group_name":"lab","vxlan_id":"7"}', message)).toMatchObject([{ deliveries: ['r1'] }])
  expect(partsOf(message, `{"apiCollectionId":7,"batchData":[${message}]}`)).toMatchObject([
    { deliveries: ['r0'] },
    { deliveries: ['r1 0'] },
  ])
})
