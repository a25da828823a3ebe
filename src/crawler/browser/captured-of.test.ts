import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import type { CapturedExchange, StreamMessage } from './capture.ts'
import { inventoryExchanges, MAX_BODY_BYTES } from './captured-of.ts'

const exchange: Exchange = {
  request: { method: 'GET', target: 'https://shop.test/events', version: 'HTTP/1.1', headers: [], body: '' },
  response: { status: 200, reason: 'OK', headers: ['content-type', 'text/event-stream'], body: '' },
  at: 1,
  clientIp: '',
  serverIp: '',
  source: 'CRAWLER',
  direction: 1,
  vxlanId: 0,
}

function captured(messages: readonly StreamMessage[]): CapturedExchange {
  return {
    id: '1',
    pageId: '1',
    pageUrl: 'https://shop.test/',
    cause: null,
    kind: 'EventSource',
    url: 'https://shop.test/events',
    outcome: 'answered',
    reason: null,
    redirectedFrom: null,
    startedMs: 0,
    endedMs: 1,
    exchange,
    responseMissing: false,
    isConfirmed: false,
    isCut: false,
    messages,
  }
}

function event(text: string, name = 'message'): StreamMessage {
  return { direction: 'received', atMs: 1, text, isBase64: false, event: name }
}

test('the inventory gets the events of a stream as its body', () => {
  const [kept, ...more] = inventoryExchanges(captured([event('{"n":1}'), event('a\nb', 'price')]))
  expect(kept?.response.body).toBe('data: {"n":1}\n\nevent: price\ndata: a\ndata: b\n\n')
  expect(more).toEqual([])
})

test('of a long stream it gets the first events, whole', () => {
  const [kept] = inventoryExchanges(captured(Array.from({ length: 50 }, () => event('x'.repeat(60_000)))))
  const body = kept?.response.body ?? ''
  expect([
    body.length <= MAX_BODY_BYTES,
    body.length > MAX_BODY_BYTES - 61_000,
    body.endsWith('x\n\n'),
  ]).toEqual([true, true, true])
})
