import { expect, it } from 'vitest'
import {
  type BrowserDriver,
  type BrowserSession,
  type DriverContext,
  type FormLoginOptions,
  formLogin,
  headerLogin,
  KeptSession,
  type LoginResult,
} from '../../src/crawler/index.ts'
import { type Portal, portalCodeSecret, portalPassword, portalUser } from '../targets/portal/server.ts'
import { CapturedList, portalGuard } from './crawl-browser.ts'

/** What the cases run against. */
export interface LoginDeps {
  readonly portal: Portal
  readonly driver: BrowserDriver
}

const signal = new AbortController().signal

/** Logins that are found by themselves, sessions that are kept and restored. */
export function loginCases(deps: () => LoginDeps): void {
  const signsInThrough = async (startUrl: string): Promise<void> => {
    const { result, session, close } = await signIn(deps(), { startUrl })
    expect(result).toMatchObject({ kind: 'logged in', landedOn: `${deps().portal.origin}/home` })
    expect(session.cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([['sid', true]])
    await close()
  }
  it('through a form of two steps', () => signsInThrough('/two-step'))
  it.each([
    ['a form behind a link', '/start'],
    ['a form in a frame', '/frame-login'],
    ['a form in a shadow root', '/shadow-login'],
    ['a form whose script begins to listen while it is filled in', '/late-login'],
  ])('through %s', { tags: ['marathon'] }, (_name, path) => signsInThrough(path))

  it('with a one-time code, and says when its secret is missing', { tags: ['marathon'] }, async () => {
    const { result, close } = await signIn(deps(), { startUrl: '/code-login', totp: portalCodeSecret })
    expect(result.kind).toBe('logged in')
    await close()
    const without = await signIn(deps(), { startUrl: '/code-login' })
    expect(without.result).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('one-time code'),
    })
    await without.close()
  })

  it('and sends a wrong password twice at most', async () => {
    const { portal } = deps()
    const before = portal.wrongPasswords
    const { result, close } = await signIn(deps(), { startUrl: '/login', password: 'wrong' })
    expect(result).toMatchObject({ kind: 'failed', mayRetry: false })
    expect(portal.wrongPasswords - before).toBeLessThanOrEqual(2)
    await close()
  })

  it('into a script that keeps its token in the session storage, which other browsers get back', {
    tags: ['marathon'],
  }, async () => {
    const { portal, driver } = deps()
    const first = await signIn(deps(), { startUrl: '/spa-login' })
    expect(first.result).toMatchObject({ kind: 'logged in', landedOn: `${portal.origin}/spa` })
    expect(first.session.headers['authorization']).toMatch(/^Bearer /)
    await first.close()
    const context = await driver.newContext({
      guard: portalGuard(portal.origin),
      sink: null,
      session: JSON.parse(JSON.stringify(first.session)) as BrowserSession,
    })
    const page = await context.newPage()
    expect(await page.evaluate('location.href')).toBe('about:blank')
    await page.goto(`${portal.origin}/spa`)
    await page.quiet()
    expect(await page.evaluate(`document.getElementById('who').textContent`)).toBe(`Hello ${portalUser}`)
    expect(await page.evaluate(`localStorage.getItem('theme')`)).toBe('dark')
    await context.close()
  })

  it('again when the session is lost, three times within ten minutes unless it held for a while', {
    tags: ['marathon'],
  }, async () => {
    let now = Date.now()
    const { portal, driver } = deps()
    const list = new CapturedList()
    const guard = portalGuard(portal.origin)
    const kept = new KeptSession({
      authenticator: formLogin(formOf(portal, { startUrl: '/login' })),
      guard,
      origin: portal.origin,
      username: portalUser,
      signal,
      clockMs: () => now,
    })
    const sink = {
      captured: (exchange: Parameters<CapturedList['captured']>[0]): void => {
        list.captured(exchange)
        kept.captured(exchange)
      },
    }
    const context = await driver.newContext({ guard, sink })
    expect((await kept.begin(context)).kind).toBe('logged in')
    expect(kept.loginUrl).toBe(`${portal.origin}/login`)
    expect(await kept.check(context, 'a 401')).toBe('alive')
    portal.expire()
    now += 60_000
    expect(await kept.check(context, 'a 401')).toBe('renewed')
    portal.expire()
    expect(await kept.check(context, 'a 401')).toBe('renewed')
    expect(await kept.check(context, '')).toBe('alive')
    portal.expire()
    expect(await kept.check(context, '')).toBe('renewed')
    portal.expire()
    expect(await kept.check(context, '')).toBe('lost')
    await context.close()
  })

  it('by headers, cookies among them', { tags: ['marathon'] }, async () => {
    const { portal, driver } = deps()
    const { session, close } = await signIn(deps(), { startUrl: '/login' })
    await close()
    const guard = portalGuard(portal.origin)
    const context = await driver.newContext({ guard, sink: null })
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const result = await headerLogin(
      'role',
      { Cookie: cookie, 'x-tenant': 'T7' },
      portal.origin,
    ).authenticate(context, signal)
    guard.addHeaders(result.kind === 'logged in' ? result.headers : {})
    const page = await context.newPage()
    expect((await page.goto(`${portal.origin}/home`)).url).toBe(`${portal.origin}/home`)
    expect(portal.headers.get('/home')).toMatchObject({ 'x-tenant': 'T7', cookie })
    await context.close()
  })
}

function formOf(portal: Portal, { startUrl, ...rest }: Partial<FormLoginOptions>): FormLoginOptions {
  return { username: portalUser, password: portalPassword, ...rest, startUrl: portal.origin + startUrl }
}

async function signIn(
  { portal, driver }: LoginDeps,
  options: Partial<FormLoginOptions>,
): Promise<{
  result: LoginResult
  session: BrowserSession
  context: DriverContext
  close: () => Promise<void>
}> {
  const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
  const result = await formLogin(formOf(portal, options)).authenticate(context, signal)
  return { result, session: await context.session(), context, close: () => context.close() }
}
