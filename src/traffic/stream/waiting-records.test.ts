import { expect, test } from 'vitest'
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from './port.ts'
import { WaitingRecords } from './waiting-records.ts'

const none = { key: null, value: null, headers: new Map<Buffer, Buffer>() }

/** Adds records until they are enough. */
function filled(record: typeof none | Record<string, unknown>, most: number): WaitingRecords<typeof none> {
  const waiting = new WaitingRecords<typeof none>()
  for (let count = 0; count < most && !waiting.isFull; count++) waiting.add(record as typeof none)
  return waiting
}

test.each([
  ['keys', { ...none, key: Buffer.alloc(1_000_000) }],
  ['header values', { ...none, headers: new Map([[Buffer.from('a'), Buffer.alloc(1_000_000)]]) }],
  ['header names', { ...none, headers: new Map([[Buffer.alloc(1_000_000), Buffer.from('a')]]) }],
  ['values', { ...none, value: Buffer.alloc(1_000_000) }],
])('large %s count towards the bytes that may wait, and towards those of a batch', (_what, record) => {
  const waiting = filled(record, 100)
  expect(waiting.isFull).toBe(true)
  expect(waiting.take().length).toBeLessThanOrEqual(MAX_BATCH_BYTES / 1_000_000 + 1)
  expect(waiting.isFull).toBe(false)
})

test('empty records fill the wait by their number', () => {
  const waiting = filled(none, 100_000)
  expect(waiting.isFull).toBe(true)
  const taken = waiting.take()
  expect(taken).toHaveLength(MAX_BATCH_RECORDS)
  expect(waiting.isFull).toBe(false)
})

test('records are taken once, in their order, and a cleared wait has none', () => {
  const waiting = new WaitingRecords<typeof none & { at: number }>()
  for (let at = 0; at < 1500; at++) waiting.add({ ...none, at })
  const taken = [...waiting.take(), ...waiting.take(), ...waiting.take()]
  expect(taken.map(({ at }) => at)).toEqual(Array.from({ length: 1500 }, (_, at) => at))
  waiting.add({ ...none, at: 0 })
  waiting.clear()
  expect(waiting.take()).toEqual([])
})
