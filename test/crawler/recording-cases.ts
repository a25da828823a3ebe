import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type BrowserDriver,
  FlowError,
  type FlowStage,
  flowLogin,
  type PlayedLogin,
  playFlow,
} from '../../src/crawler/index.ts'
import { browserCache } from '../browser/browser.ts'
import { type Portal, portalCodeSecret, portalPassword, portalUser } from '../targets/portal/server.ts'
import { portalGuard } from './crawl-browser.ts'

/** What the cases run against. */
export interface RecordingDeps {
  readonly portal: Portal
  readonly driver: BrowserDriver
}

const never = new AbortController().signal
/** The portal takes a code more than once. */
const anyStep = async (_digest: string, step: number): Promise<number> => step
const WHO = `fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user)`

/** A recording of this folder, for a portal. */
export function recordingOf(name: string, origin: string): string {
  return readFileSync(join(import.meta.dirname, 'recordings', `${name}.json`), 'utf8').replaceAll(
    'http://portal.test',
    origin,
  )
}

const stage: FlowStage = {
  browser: process.env['VIGIL_BROWSER'] ?? null,
  folder: browserCache,
  own: [],
  allowed: [],
  verifiesTls: true,
  takeCodeStep: anyStep,
}

/** Recorded logins: three that go well, and what is said of those that do not. */
export function recordingCases(deps: () => RecordingDeps): void {
  const signsInBy = async (name: string): Promise<void> => {
    const pictures: Uint8Array[] = []
    const played = await play(recordingOf(name, deps().portal.origin), WHO, pictures)
    expect(played.token).toBe(portalUser)
    expect(played.session.cookies.map((cookie) => cookie.name)).toEqual(['sid'])
    expect(played.landedOn).toBe(`${deps().portal.origin}/home`)
    if (name === 'form') expect({ ...played.values }).toEqual({ cameFrom: played.landedOn })
    expect(pictures.length).toBeGreaterThan(5)
    expect(Buffer.from(pictures[0]!.subarray(1, 4)).toString()).toBe('PNG')
  }
  it('of a form in a shadow root', () => signsInBy('shadow'))
  it.each([
    ['a form behind a link, with selectors that no longer fit', 'form'],
    ['a one-time code, digit by digit', 'code'],
  ])('of %s', { tags: ['marathon'] }, (_what, name) => signsInBy(name))

  it('in the short form, with cookies for the command and a code by its URI', {
    tags: ['marathon'],
  }, async () => {
    const { origin } = deps().portal
    const steps = [
      { action: 'navigate', url: `${origin}/code-login` },
      { action: 'type', selector: '[name=user]', value: portalUser },
      { action: 'type', selector: '[name=password]', value: portalPassword },
      { action: 'click', selector: 'button' },
      { action: 'wait', selector: '[name=code]' },
      {
        action: 'type',
        selector: '[name=code]',
        value: `otpauth://totp/portal:ada?secret=${portalCodeSecret}`,
      },
      { action: 'click', selector: 'button' },
    ]
    const played = await play(JSON.stringify(steps), `({ authorization: 'Session ' + cookieMap.sid })`)
    const [cookie] = played.session.cookies
    expect(JSON.parse(played.token)).toEqual({ authorization: `Session ${cookie!.value}` })
  })

  it('that break say which step failed, keep a picture of it, and tell no secret', async () => {
    const { origin } = deps().portal
    const steps = [
      { type: 'navigate', url: `${origin}/login` },
      { type: 'change', selectors: ['[name=user]'], value: portalUser },
      {
        type: 'change',
        selectors: [['#password-of-old'], ['[id=never]']],
        value: portalPassword,
        timeout: 400,
      },
    ]
    const pictures: Uint8Array[] = []
    const problem = await play(JSON.stringify({ title: 'broken', steps }), WHO, pictures).catch(
      (error) => error,
    )
    expect(problem).toBeInstanceOf(FlowError)
    expect(problem).toMatchObject({
      step: 3,
      message: 'step 3 of 3 (change #password-of-old) failed: the element was not found in time',
    })
    expect(problem.message).not.toContain(portalPassword)
    expect(pictures).toHaveLength(3)
  })

  it('whose command fails say so', { tags: ['marathon'] }, async () => {
    const content = JSON.stringify([{ action: 'navigate', url: `${deps().portal.origin}/calm` }])
    await expect(play(content, 'nothing.here')).rejects.toThrow(/^the token command failed: ReferenceError/)
    await expect(play(content, 'null')).rejects.toThrow('the token command yielded nothing')
  })

  it('reach no host but those that the steps name', async () => {
    const { origin } = deps().portal
    const steps = [{ type: 'navigate', url: `${origin}/calm` }]
    const command = `fetch('http://localhost:${new URL(origin).port}/calm').then(() => 'reached', () => 'refused')`
    expect((await play(JSON.stringify({ steps }), command)).token).toBe('refused')
    const own = { ...stage, own: [new URL(origin).host] }
    await expect(
      playFlow(own, { content: JSON.stringify({ steps }), tokenFetchCommand: '' }, null, never),
    ).rejects.toThrow('it is a listener of Vigil itself')
  })

  it('sign a crawl in', { tags: ['marathon'] }, async () => {
    const { portal, driver } = deps()
    const guard = portalGuard(portal.origin)
    const context = await driver.newContext({ guard, sink: null })
    const login = flowLogin(
      {
        content: recordingOf('form', portal.origin),
        tokenFetchCommand: WHO,
        header: 'x-user',
        prefix: 'is ',
      },
      anyStep,
    )
    expect(await login.authenticate(context, never)).toMatchObject({
      kind: 'logged in',
      headers: { 'x-user': `is ${portalUser}` },
      landedOn: `${portal.origin}/home`,
    })
    const page = await context.newPage()
    expect((await page.goto(`${portal.origin}/home`)).url).toBe(`${portal.origin}/home`)
    await context.close()
  })
}

function play(content: string, tokenFetchCommand: string, pictures: Uint8Array[] = []): Promise<PlayedLogin> {
  return playFlow(stage, { content, tokenFetchCommand }, { took: (one) => void pictures.push(one) }, never)
}
