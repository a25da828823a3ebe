import { expect, test } from 'vitest'
import type { TimedSession } from './cdp.ts'
import { type GateListener, RequestGate } from './request-gate.ts'
import type { RequestPaused } from './wire-facts.ts'

test('the guard hears that a server has enough before the page gets the answer', async () => {
  const steps: string[] = []
  let pause: (paused: RequestPaused) => void = () => {}
  const session = {
    on: (_event: string, listener: (params: unknown) => void) => {
      pause = listener
    },
    post: (method: string) => void steps.push(method),
    whenDetached: () => {},
  } as unknown as TimedSession
  const body = Promise.withResolvers<void>()
  const guard = {
    decide: () => ({ kind: 'allow' }) as const,
    answered: (url: URL, status: number, retryAfter: string | undefined) =>
      void steps.push(`${url.pathname} ${status} ${retryAfter}`),
  }
  const listener = { answerWaits: () => body.promise } as unknown as GateListener
  const page = { mainFrameId: 'tab', url: 'https://shop.test/', cause: 'load' }
  new RequestGate(guard, page, listener, new AbortController().signal).attach(session)
  // The browser has told nothing of the request by then, and nothing of its answer on other ways.
  pause({
    requestId: 'interception-1',
    networkId: 'n1',
    frameId: 'tab',
    resourceType: 'XHR',
    request: { url: 'https://shop.test/api/cart', method: 'GET', headers: {} },
    responseStatusCode: 429,
    responseHeaders: [{ name: 'Retry-After', value: '2' }],
  })
  expect(steps).toEqual(['Fetch.enable', '/api/cart 429 2'])
  body.resolve()
  await expect.poll(() => steps).toContain('Fetch.continueRequest')
})
