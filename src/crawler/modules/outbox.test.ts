import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallError } from '../../contract/client.ts'
import { Failure } from '../../kit/index.ts'
import type { CrawlBatch } from './crawl-link.ts'
import { Outbox } from './outbox.ts'
import { isRefusal } from './retry-with-backoff.ts'
import { Spool } from './spool.ts'

let folder: string
const never = new AbortController().signal

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'vigil-spool-')), 'crawl')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

function opened(): { spool: Spool; left: string[] } {
  const left: string[] = []
  return { spool: new Spool(folder, (text) => left.push(text)), left }
}

function outboxTo(deliver: (batch: CrawlBatch) => Promise<void>): Outbox {
  return new Outbox((leftovers) => new Spool(folder, leftovers), deliver, never)
}

test('what was appended is there after a kill, up to the record that the kill cut off', () => {
  const first = opened().spool
  for (const text of ['one', 'zwei ü', 'x'.repeat(100_000)]) first.append(text)
  const [file] = readdirSync(folder)
  const path = join(folder, file!)
  const again = opened()
  expect(again.left).toEqual(['one', 'zwei ü', 'x'.repeat(100_000)])
  truncateSync(path, statSync(path).size - 5)
  expect(opened().left).toEqual(['one', 'zwei ü'])
})

test('what was delivered goes, with its folder when nothing is left', () => {
  const { spool } = opened()
  const last = [1, 2, 3].map((text) => spool.append(String(text))).at(-1)!
  spool.delivered(last - 1)
  expect(opened().left).toHaveLength(3)
  spool.delivered(last)
  spool.append('4')
  expect(opened().left).toEqual(['4'])
  spool.delivered(last + 1)
  spool.close()
  expect(readdirSync(join(folder, '..'))).toEqual([])
})

test('findings go in order, and count as delivered once the server has them', async () => {
  const batches: CrawlBatch[] = []
  let letThrough: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const outbox = outboxTo(async (batch) => {
    await gate
    batches.push(batch)
  })
  outbox.push({ message: 'a' })
  outbox.push({ log: { at: 1, level: 'info', line: 'begun' } })
  outbox.push({ message: 'b' })
  let isFlushed = false
  const flushed = outbox.flushed().then(() => {
    isFlushed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isFlushed).toBe(false)
  letThrough()
  await flushed
  expect(batches.flatMap(({ messages }) => messages)).toEqual(['a', 'b'])
  expect(batches.flatMap(({ logs }) => logs)).toHaveLength(1)
  await outbox.close()
})

test('a finding that comes in the moment in which the last delivery ends is delivered as well', async () => {
  const seen: string[] = []
  let turns = 0
  const pushAfter = (left: number): void => {
    if (left === 0) outbox.push({ message: `after ${turns}` })
    else queueMicrotask(() => pushAfter(left - 1))
  }
  const outbox = outboxTo(async ({ messages }) => {
    seen.push(...messages)
    if (messages.includes('first')) pushAfter(turns)
  })
  for (turns = 1; turns <= 12; turns++) {
    outbox.push({ message: 'first' })
    await expect.poll(() => seen, { interval: 1 }).toContain(`after ${turns}`)
  }
  await outbox.close()
})

test('what a dead process left goes first; a server that fails is asked again', async () => {
  opened().spool.append(JSON.stringify({ message: 'left' }))
  const seen: string[] = []
  let failures = 1
  const outbox = outboxTo(async ({ messages }) => {
    if (failures-- > 0) throw new TypeError('fetch failed')
    seen.push(...messages)
  })
  outbox.push({ message: 'new' })
  await outbox.flushed()
  expect(seen).toEqual(['left', 'new'])
  await outbox.close()
})

test('a refusal is reported to those who wait, and nothing is discarded', async () => {
  const outbox = outboxTo(() => Promise.reject(new Failure('DEACTIVATED_COLLECTION')))
  outbox.push({ message: 'a' })
  await expect(outbox.flushed()).rejects.toThrow('DEACTIVATED_COLLECTION')
  await expect(outbox.room()).rejects.toThrow('DEACTIVATED_COLLECTION')
  await outbox.close()
  expect(opened().left).toHaveLength(1)
})

test('only what the server will never take counts as refused', () => {
  expect(isRefusal(new CallError(422, ['no'], 'CRAWL_NOT_FOUND'))).toBe(true)
  expect(isRefusal(new CallError(429, ['slow'], 'OVERLOADED'))).toBe(false)
  expect(isRefusal(new CallError(503, ['away'], 'STORE_UNAVAILABLE'))).toBe(false)
  expect(isRefusal(new Failure('CRAWL_NOT_FOUND'))).toBe(true)
  expect(isRefusal(new TypeError('fetch failed'))).toBe(false)
})
