import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { OutgoingRequest } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'
import { FreshAnswers } from './fresh-answers.ts'
import { SharedAnswers } from './shared-answers.ts'

const ENDPOINT = { collectionId: 1, method: 'GET', url: '/notes' }
const REQUEST: OutgoingRequest = { method: 'GET', url: 'http://shop.test/notes', headers: [], body: null }
const EXCHANGE = rawSample('GET http://shop.test/notes HTTP/1.1\n\n')
const SENT = { exchange: EXCHANGE, responseTimeMs: 1, isTruncated: false }

const fresh = new FreshAnswers()
const shared = new SharedAnswers()

test.each([
  [
    'the unchanged request',
    (ask: () => Promise<typeof SENT>) => fresh.of(ENDPOINT, EXCHANGE, async () => (await ask()).exchange),
  ],
  ['a first probe', (ask: () => Promise<typeof SENT>) => shared.of(REQUEST, false, ask)],
])('tests that wait for the answer to %s ask again where the asking test is stopped', async (_what, of) => {
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  let asked = 0
  const again = (): Promise<typeof SENT> => {
    asked++
    return Promise.resolve(SENT)
  }
  const first = of(() => stopped)
  const others = [of(again), of(again)]
  const late = of(() => Promise.reject(new Failure('SEND_STOPPED')))
  stop(new Failure('SEND_STOPPED'))
  await expect(first).rejects.toThrow('SEND_STOPPED')
  await Promise.all([...others, late])
  expect(asked).toBe(1)
})
