import { expect, test } from 'vitest'
import type { CapturedExchange } from '../browser/capture.ts'
import { CredentialMask } from '../login/credential-mask.ts'
import { sinkInto } from './durable-ports.ts'
import type { Outbox } from './outbox.ts'

/** What the inventory gets of captured exchanges. */
function told(...captured: Partial<CapturedExchange & { status: number }>[]): string[] {
  const urls: string[] = []
  const outbox = {
    push: ({ message }: { message: string }) => urls.push(JSON.parse(message).path),
  } as unknown as Outbox
  const sink = sinkInto(outbox, {
    crawlId: 'c',
    worker: 'w',
    mask: new CredentialMask({ users: [], secrets: [] }),
    isOurs: () => true,
    heard: () => {},
  })
  for (const one of captured) sink.exchange(exchangeOf(one))
  return urls.map((url) => new URL(url, 'http://shop.test').pathname)
}

function exchangeOf({
  status = 200,
  ...given
}: Partial<CapturedExchange & { status: number }>): CapturedExchange {
  const url = given.url ?? 'http://shop.test/api/orders'
  return {
    id: '1',
    pageId: 'p',
    pageUrl: 'http://shop.test/',
    cause: null,
    kind: 'Fetch',
    outcome: 'answered',
    reason: null,
    redirectedFrom: null,
    startedMs: 0,
    endedMs: 1,
    responseMissing: false,
    isConfirmed: false,
    isCut: false,
    messages: [],
    ...given,
    url,
    exchange: {
      request: { method: 'GET', target: url, version: 'HTTP/1.1', headers: ['host', 'shop.test'], body: '' },
      response: { status, reason: '', headers: ['content-type', 'application/json'], body: '{}' },
      ...{ at: 1, clientIp: '', serverIp: '', source: 'CRAWLER', direction: 1, vxlanId: 0 },
    },
  }
}

test('a guess of the crawler that is refused, not found or not served proves no endpoint', () => {
  for (const status of [403, 404, 405, 503]) {
    expect(told({ cause: 'probe', status }, { kind: 'Document', cause: 'load', status })).toEqual([])
    expect(told({ cause: 'click /html/body/button Save', status })).toEqual(['/api/orders'])
  }
  expect(told({ cause: 'probe', status: 200 }, { cause: 'probe', status: 422 })).toHaveLength(2)
})

test('what the server only confirmed is not counted once more', () => {
  expect(told({ isConfirmed: false }, { isConfirmed: true })).toEqual(['/api/orders'])
})

test('static files are not API requests; data requested by a script is', () => {
  const script = { kind: 'Script', url: 'http://shop.test/assets/app.js' } as const
  const data = { kind: 'Fetch', url: 'http://shop.test/export/report.png' } as const
  const callback = { kind: 'Script', url: 'http://shop.test/api/feed?callback=show' } as const
  expect(told(script, data, callback)).toEqual(['/export/report.png', '/api/feed'])
})
