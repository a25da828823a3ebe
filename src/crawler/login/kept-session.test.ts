import { expect, test } from 'vitest'
import { Failure } from '../../kit/index.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import type { CrawlGuard } from '../browser/crawl-guard.ts'
import type { DriverContext } from '../browser/driver.ts'
import type { LoginResult } from './authenticator.ts'
import { KeptSession } from './kept-session.ts'

const url = 'https://shop.test/api/me'
const session = { cookies: [], storage: [], headers: {} }
const loggedIn: LoginResult = { kind: 'logged in', session, headers: {}, landedOn: null, loginUrl: null }
const brokenOff: LoginResult = { kind: 'failed', text: 'The login broke off.', mayRetry: true }

/** Signs in once; later logins break off with the browser, until there is a new one. */
function keptSession() {
  const state = {
    isSignedIn: false,
    isGone: false,
    dies: false,
    diesAfter: false,
    logins: 0,
    ousted: 0,
    nowMs: 0,
  }
  const page = {
    goto: async () => ({ problem: state.isGone ? 'Inspected target navigated or closed' : null }),
    evaluate: async (script: string) => ({
      head: `${state.isSignedIn && script.includes('"include"') ? 200 : 401} /api/me`,
      text: '',
    }),
    close: async () => {},
  }
  const context = {
    newPage: async () => page,
    clear: async () => {},
    async session() {
      if (state.isGone) throw new Failure('BROWSER_GONE', { call: 'Storage.getCookies' })
      return session
    },
  } as unknown as DriverContext
  const kept = new KeptSession({
    authenticator: {
      name: 'test',
      async authenticate() {
        state.logins++
        state.isGone = state.dies || state.diesAfter
        state.isSignedIn = !state.dies
        return state.dies ? brokenOff : loggedIn
      },
    },
    guard: { addHeaders: () => {} } as unknown as CrawlGuard,
    origin: 'https://shop.test',
    username: '',
    signal: new AbortController().signal,
    ousted: () => void state.ousted++,
    clockMs: () => state.nowMs,
  })
  const heard = {
    kind: 'XHR',
    outcome: 'answered',
    url,
    exchange: { request: { method: 'GET' }, response: { status: 200 } },
  }
  kept.captured(heard as unknown as CapturedExchange)
  return { kept, context, state }
}

test('a login that the death of the browser cuts off is done again in the next one', async () => {
  const { kept, context, state } = keptSession()
  await kept.begin(context)
  for (let death = 0; death < 4; death++) {
    Object.assign(state, { isSignedIn: false, dies: true })
    await expect(kept.check(context, 'a 401')).rejects.toMatchObject({ code: 'BROWSER_GONE' })
    state.isGone = false
  }
  state.dies = false
  expect(await kept.check(context, 'a 401')).toBe('renewed')
  expect(await kept.check(context, '')).toBe('alive')
  expect(state.logins).toBe(6)
})

test('a probe that the death of the browser kept from being chosen is chosen in the next one', async () => {
  const { kept, context, state } = keptSession()
  state.diesAfter = true
  await expect(kept.begin(context)).rejects.toMatchObject({ code: 'BROWSER_GONE' })
  Object.assign(state, { isGone: false, diesAfter: false })
  await kept.begin(context)
  state.isSignedIn = false
  expect(await kept.check(context, 'a 401')).toBe('renewed')
})

test('a session that ends within seconds may have gone to somebody else; one that held for a while ended', async () => {
  const { kept, context, state } = keptSession()
  await kept.begin(context)
  const ends = async (afterMs: number): Promise<number> => {
    Object.assign(state, { isSignedIn: false, nowMs: state.nowMs + afterMs })
    expect(await kept.check(context, 'a 401')).toBe('renewed')
    return state.ousted
  }
  expect([await ends(15_000), await ends(2_000), await ends(15_000)]).toEqual([0, 1, 1])
})
