import { expect, test } from 'vitest'
import type { CapturedExchange } from './capture.ts'
import type { TimedSession } from './cdp.ts'
import { InFlight, LongPolls } from './in-flight.ts'
import { KnownBodies } from './known-bodies.ts'
import { PageTraffic } from './page-traffic.ts'
import type { RequestPaused } from './wire-facts.ts'

const request = { url: 'https://shop.test/api/cart', method: 'GET', headers: { accept: '*/*' } }
const paused: RequestPaused = {
  requestId: 'interception-1',
  networkId: 'n1',
  frameId: 'tab',
  resourceType: 'XHR',
  request,
  responseStatusCode: 200,
  responseHeaders: [{ name: 'Content-Type', value: 'application/json' }],
}

/** A page that asked for its cart, whose answer waits for the guard. */
function waitingCart(body: Promise<{ body: string; base64Encoded: boolean }>) {
  const listeners = new Map<string, (params: Record<string, unknown>) => void>()
  const session = {
    on: (event: string, listener: (params: Record<string, unknown>) => void) =>
      listeners.set(event, listener),
    post: () => {},
    send: () => body,
  } as unknown as TimedSession
  const told: CapturedExchange[] = []
  const page = {
    id: 'tab',
    url: 'https://shop.test/',
    cause: 'load',
    inFlight: new InFlight(new LongPolls()),
  }
  const traffic = new PageTraffic(page, (exchange) => told.push(exchange), new KnownBodies())
  traffic.attach(session)
  const emit = (event: string, params: Record<string, unknown>) => listeners.get(`Network.${event}`)?.(params)
  emit('requestWillBeSent', {
    requestId: 'n1',
    loaderId: 'l1',
    documentURL: page.url,
    request,
    wallTime: 7,
    type: 'XHR',
  })
  emit('requestWillBeSentExtraInfo', { requestId: 'n1', headers: { accept: '*/*', cookie: 'sid=s1' } })
  return { traffic, session, told, emit }
}

const cart = { body: '{"items":[]}', base64Encoded: false }
const answered = {
  outcome: 'answered',
  isCut: false,
  exchange: {
    request: { headers: ['accept', '*/*', 'cookie', 'sid=s1'] },
    response: { status: 200, headers: ['Content-Type', 'application/json'], body: cart.body },
  },
}

test('an answer that waited when the page gave up its call is an answer', async () => {
  const { traffic, session, told, emit } = waitingCart(Promise.resolve(cart))
  await traffic.answerWaits(session, paused)
  emit('loadingFailed', { requestId: 'n1', errorText: 'net::ERR_ABORTED' })
  await traffic.drain()
  expect(told).toMatchObject([answered])
})

test('an answer that is being read when the page is closed is waited for', async () => {
  const body = Promise.withResolvers<typeof cart>()
  const { traffic, session, told } = waitingCart(body.promise)
  const waits = traffic.answerWaits(session, paused)
  const drained = traffic.drain()
  body.resolve(cart)
  await Promise.all([waits, drained])
  expect(told).toMatchObject([answered])
})

test('a call that failed while nothing waited, or whose body is gone, has no answer', async () => {
  const { traffic, session, told, emit } = waitingCart(Promise.reject(new Error('Invalid InterceptionId.')))
  await traffic.answerWaits(session, paused)
  emit('loadingFailed', { requestId: 'n1', errorText: 'net::ERR_ABORTED' })
  await traffic.drain()
  expect(told).toMatchObject([{ outcome: 'failed', reason: 'net::ERR_ABORTED', responseMissing: true }])
})

test('everything that has ended is reported before it counts as reported', async () => {
  const { traffic, session, told, emit } = waitingCart(Promise.resolve(cart))
  await traffic.answerWaits(session, paused)
  const response = {
    url: request.url,
    status: 200,
    statusText: 'OK',
    headers: {},
    mimeType: 'application/json',
  }
  emit('responseReceived', { requestId: 'n1', loaderId: 'l1', type: 'XHR', response, hasExtraInfo: true })
  emit('loadingFinished', { requestId: 'n1' })
  expect(told).toEqual([])
  await traffic.told()
  expect(told).toMatchObject([{ outcome: 'answered', exchange: { response: { body: cart.body } } }])
})

test('a script that pages load again is read once, and again when it is of another version', async () => {
  const known = new KnownBodies()
  const load = async (headers: Record<string, string>, body: string) => {
    const listeners = new Map<string, (params: Record<string, unknown>) => void>()
    let reads = 0
    const session = {
      on: (event: string, listener: (params: Record<string, unknown>) => void) =>
        listeners.set(event, listener),
      post: () => {},
      send: () => {
        reads++
        return Promise.resolve({ body, base64Encoded: false })
      },
    } as unknown as TimedSession
    const page = { id: 'tab', url: request.url, cause: null, inFlight: new InFlight(new LongPolls()) }
    const bodies: string[] = []
    const traffic = new PageTraffic(page, ({ exchange }) => void bodies.push(exchange.response.body), known)
    traffic.attach(session)
    const emit = (event: string, params: object) =>
      listeners.get(`Network.${event}`)?.({ requestId: 's1', loaderId: 'l1', type: 'Script', ...params })
    const script = { ...request, url: 'https://shop.test/main.js' }
    emit('requestWillBeSent', { documentURL: page.url, request: script, wallTime: 7 })
    const response = { url: script.url, status: 200, statusText: 'OK', mimeType: 'text/javascript', headers }
    emit('responseReceived', { response, hasExtraInfo: false })
    emit('loadingFinished', {})
    await traffic.told()
    return { reads, bodies }
  }
  expect(await load({ ETag: 'W/"1"' }, 'one()')).toEqual({ reads: 1, bodies: ['one()'] })
  expect(await load({ etag: 'W/"1"' }, 'never read')).toEqual({ reads: 0, bodies: ['one()'] })
  expect(await load({ etag: 'W/"2"' }, 'two()')).toEqual({ reads: 1, bodies: ['two()'] })
  expect(await load({}, 'three()')).toEqual({ reads: 1, bodies: ['three()'] })
  expect(await load({}, 'four()')).toEqual({ reads: 1, bodies: ['four()'] })
})

test('what something stood in for has no answer, whatever the page got', async () => {
  const { traffic, told, emit } = waitingCart(Promise.resolve(cart))
  traffic.refused(paused, '', { outcome: 'blocked', reason: 'pictures are not loaded' })
  const response = { url: request.url, status: 200, statusText: 'OK', headers: {}, mimeType: 'image/svg+xml' }
  emit('responseReceived', { requestId: 'n1', loaderId: 'l1', type: 'Image', response, hasExtraInfo: false })
  emit('loadingFinished', { requestId: 'n1' })
  await traffic.told()
  expect(told).toMatchObject([
    { outcome: 'blocked', reason: 'pictures are not loaded', responseMissing: true, isCut: false },
  ])
})

test('the address of a request is known before the browser tells of the request itself', () => {
  const { traffic } = waitingCart(Promise.resolve(cart))
  const feed = { ...request, url: 'https://shop.test/api/feed' }
  expect(traffic.urlOf('n2')).toBe('')
  traffic.goes({
    requestId: 'interception-2',
    networkId: 'n2',
    frameId: 'tab',
    resourceType: 'EventSource',
    request: feed,
  })
  expect(traffic.urlOf('n2')).toBe(feed.url)
})
