import { expect, test } from 'vitest'
import { RecordedTarget } from './recorded-target.ts'
import { SampleShelf } from './sample-shelf.ts'

const REQUEST = { method: 'GET', url: 'http://shop.test/orders/1', headers: [], body: null }
const PURPOSE = { kind: 'test', runId: null, summaryId: null, testId: null, user: null } as const

test('lets its thread do other work within one long check, and ends a check that is stopped', async () => {
  const target = new RecordedTarget(new SampleShelf(), [], () => [])
  const stop = new AbortController()
  setImmediate(() => stop.abort(new Error('stopped')))
  const check = async (): Promise<void> => {
    const options = { followRedirects: false, signal: stop.signal, purpose: PURPOSE }
    for (let i = 0; i < 10_000; i++) await target.send(REQUEST, options)
  }
  await expect(check()).rejects.toThrow('stopped')
  expect(target.counts.requests).toBeLessThan(1_000)
})
