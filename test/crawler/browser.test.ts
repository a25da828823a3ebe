import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BrowserDriver,
  type DriverContext,
  type DriverPage,
  inventoryExchanges,
} from '../../src/crawler/index.ts'
import { headerValue } from '../../src/http/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { startProgram } from '../start-program.ts'
import { type Portal, startPortal } from '../targets/portal/server.ts'
import { CapturedList, portalGuard, startCrawlBrowser } from './crawl-browser.ts'
import { loginCases } from './login-cases.ts'
import { recordingCases } from './recording-cases.ts'

const found = await testBrowser()
if (found === null)
  console.warn('\nSKIPPED: tests of the crawler with a browser. "vigil doctor" says how to get one.\n')

describe.skipIf(found === null)('a browser of the crawler', () => {
  let portal: Portal
  let driver: BrowserDriver

  beforeAll(async () => {
    portal = await startPortal()
    driver = await startCrawlBrowser(found!, portal.origin)
  })

  afterAll(async () => {
    await driver?.close()
    await portal?.close()
  })

  it('shows pages a valid language and the time zone of the settings, whatever the locale of the system', async () => {
    const environment = { ...found!.environment, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', LANGUAGE: '' }
    const other = await startCrawlBrowser({ ...found!, environment }, portal.origin, {
      language: 'de-DE',
      timeZone: 'Asia/Tokyo',
    })
    try {
      const context = await other.newContext({ guard: portalGuard(portal.origin), sink: new CapturedList() })
      const page = await context.newPage()
      await page.goto(`${portal.origin}/`)
      const seen = await page.evaluate<string[]>(
        '[navigator.language, new Date(0).toLocaleString(navigator.language), Intl.DateTimeFormat().resolvedOptions().timeZone]',
      )
      expect(seen).toEqual(['de-DE', '1.1.1970, 09:00:00', 'Asia/Tokyo'])
    } finally {
      await other.close()
    }
  })

  describe('on a page that calls, streams and breaks rules', () => {
    const list = new CapturedList()
    let context: DriverContext
    let page: DriverPage

    beforeAll(async () => {
      context = await driver.newContext({
        // Headers that browsers write themselves are left out: with them no request would leave.
        guard: portalGuard(portal.origin, { 'x-api-key': 'K1', Host: 'else.test', 'Content-Length': '9' }),
        sink: list,
      })
      page = await context.newPage()
      page.cause = 'visit'
      const visit = await page.goto(`${portal.origin}/`)
      expect(visit).toEqual({ url: `${portal.origin}/`, status: 200, problem: null })
      await page.evaluate(
        'new Promise((resolve) => { const look = () => window.finished ? resolve() : setTimeout(look, 20); look() })',
      )
      await page.quiet()
      await page.close()
    })

    afterAll(() => context.close())

    it('captures calls whole, with bodies and the headers that were on the wire', () => {
      const { exchange, kind, outcome, cause, pageUrl } = list.one('/api/plain')
      expect([kind, outcome, cause, pageUrl]).toEqual(['Fetch', 'answered', 'visit', `${portal.origin}/`])
      expect(exchange.request.target).toBe(`${portal.origin}/api/plain?page=1`)
      expect(JSON.parse(exchange.response.body)).toEqual({ path: '/api/plain', method: 'GET', got: '' })
      expect(headerValue(exchange.request.headers, 'host')).toBe(new URL(portal.origin).host)
      const order = list.of('/api/orders').at(-1)!.exchange
      expect([order.request.method, order.request.body]).toEqual(['POST', '{"item":"tea"}'])
      expect(order.source).toBe('CRAWLER')
    })

    it('tells both hops of a redirect', () => {
      expect(list.one('/redirect').exchange.response.status).toBe(302)
      expect(list.one('/api/after-redirect').redirectedFrom).toBe(`${portal.origin}/redirect`)
    })

    it('holds back what destroys, in pages and workers, and records it', () => {
      const held = list.all.filter(({ outcome }) => outcome === 'held back')
      expect(
        held.map(({ url, reason, responseMissing }) => [new URL(url).pathname, reason, responseMissing]),
      ).toEqual([
        ['/api/orders/1', 'it changes something', true],
        ['/api/orders/2', 'it changes something', true],
      ])
      expect(portal.asked.filter((line) => line.startsWith('DELETE'))).toEqual([])
      expect(list.one('/api/from-worker').outcome).toBe('answered')
    })

    it('never asks for what is out of scope, of this host or another: by script, redirect, image or socket', () => {
      expect(portal.asked.filter((line) => line.includes('/excluded'))).toEqual([])
      const refused = list.all
        .filter(({ outcome }) => outcome === 'blocked')
        .map(({ url }) => new URL(url).pathname)
      expect(refused).toEqual(
        expect.arrayContaining(['/excluded/by-script', '/excluded/by-redirect', '/excluded/image.png']),
      )
      const { origin, asked } = portal.stranger
      const elsewhere = list.all.filter(({ url }) => url.startsWith(origin))
      expect(new Set(elsewhere.map(({ outcome }) => outcome))).toEqual(new Set(['blocked']))
      expect(elsewhere.map(({ url }) => url.slice(origin.length)).sort()).toEqual([
        '/by-redirect',
        '/by-script',
        '/pixel',
      ])
      expect(asked).toEqual([])
    })

    it('gives the messages of streams and web sockets, the socket once for each message as well', () => {
      expect(list.one('/events').messages.map(({ event, text }) => [event, text])).toEqual([
        ['message', '{"tick":1}'],
        ['news', '{"tick":2}'],
      ])
      const socket = list.one('/socket')
      expect(socket.messages.map(({ direction, text }) => [direction, text])).toEqual([
        ['sent', '{"op":"subscribe"}'],
        ['received', '{"echo":{"op":"subscribe"}}'],
      ])
      expect(
        inventoryExchanges(socket).map(({ request, response }) => [request.method, response.status]),
      ).toEqual([
        ['GET', 101],
        ['WS', 101],
      ])
    })

    it('sends the key of the target on every request of it', () => {
      expect(portal.headers.get('/api/plain')?.['x-api-key']).toBe('K1')
      expect(portal.headers.get('/api/after-redirect')?.['x-api-key']).toBe('K1')
    })
  })

  it('ends every call although a page never answers, and closes the page', async () => {
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/loop`)
    await expect(page.evaluate('new Promise(() => {})', { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'BROWSER_TIMED_OUT',
    })
    await page.close()
    expect(page.isClosed).toBe(true)
    const other = await context.newPage()
    const visit = await other.goto(`${portal.origin}/slow`, { deadlineMs: 300 })
    expect(visit.problem).toBe('deadline')
    await expect(other.goto('file:///etc/passwd')).rejects.toMatchObject({ code: 'BROWSER_URL_REFUSED' })
    await expect(other.evaluate('nothing.here')).rejects.toMatchObject({ code: 'BROWSER_SCRIPT_FAILED' })
    await context.close()
  })

  it('fails a request with headers that the browser does not take, instead of keeping it', async () => {
    const guard = { decide: () => ({ kind: 'allow', headers: { Host: 'else.test' } }) as const }
    const context = await driver.newContext({ guard, sink: null })
    const page = await context.newPage()
    expect((await page.goto(`${portal.origin}/calm`, { deadlineMs: 5_000 })).problem).toBe('blocked')
    await context.close()
  })

  it('cuts bodies that are too large, and says so', async () => {
    const list = new CapturedList()
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: list })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/calm`)
    await page.evaluate(`fetch('/api/large').then((answer) => answer.text())`)
    await page.quiet()
    await context.close()
    const { isCut, exchange } = list.one('/api/large')
    expect([isCut, exchange.response.body.length]).toEqual([true, 1024 * 1024])
  })

  it('reports calls that were in flight when a page was left, while the tab continues', {
    tags: ['marathon'],
  }, async () => {
    const list = new CapturedList()
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: list })
    const page = await context.newPage()
    const asked = (): number => portal.asked.filter((line) => line === 'GET /api/me').length
    const before = asked()
    for (let visit = 0; visit < 5; visit++) {
      await page.goto(`${portal.origin}/spa`)
      await page.goto(`${portal.origin}/calm`)
    }
    await expect.poll(() => list.of('/api/me').length).toBeGreaterThanOrEqual(Math.max(1, asked() - before))
    await context.close()
  })

  it('tells of a window that a page opens, and asks nothing for it', async () => {
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/calm`)
    const opened = new Promise<string>((resolve) => page.on('popup', resolve))
    await page.evaluate(`void window.open('/api/opened')`, { userGesture: true })
    expect(await opened).toBe(`${portal.origin}/api/opened`)
    expect(portal.asked).not.toContain('GET /api/opened')
    await context.close()
  })

  it('types whatever characters there are, where the caret stands', async () => {
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/two-step`)
    await page.evaluate(`document.querySelector('#user').focus()`)
    const text = `a'b%c&d(e#f$g!h-i.j"k é漢😀 Z9`
    await page.input.type(text)
    expect(await page.evaluate(`document.activeElement.value`)).toBe(text)
    await context.close()
  })

  it('says when a renderer dies', async () => {
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/calm`)
    const died = new Promise<string>((resolve) => page.on('crash', resolve))
    page.cdp.send('Page.crash', {}, 2000).catch(() => {})
    expect(await died).toBe('the renderer died')
    expect(page.isClosed).toBe(true)
    await context.close()
  })

  it('covers passwords in pictures and leaves no trace of it', async () => {
    const context = await driver.newContext({ guard: portalGuard(portal.origin), sink: null })
    const page = await context.newPage()
    await page.goto(`${portal.origin}/login`)
    const picture = (): Promise<Uint8Array> => page.screenshot()
    const empty = await picture()
    await page.evaluate(`document.querySelector('[type=password]').value = 'long secret text'`)
    expect(Buffer.compare(await picture(), empty)).toBe(0)
    expect(await page.evaluate(`document.querySelector('[type=password]').hasAttribute('style')`)).toBe(false)
    await context.close()
  })

  describe('signs in', () => loginCases(() => ({ portal, driver })))

  describe('plays recordings', () => recordingCases(() => ({ portal, driver })))
})

describe.skipIf(found === null || process.platform !== 'linux')('a process that is killed', () => {
  it('leaves no browser behind, and the next start removes its profile', {
    tags: ['marathon'],
  }, async () => {
    const child = startProgram(join(import.meta.dirname, 'hold-browser.ts'), [], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const line = await new Promise<string>((resolve) =>
      child.stdout!.once('data', (text) => resolve(String(text))),
    )
    const browser = Number(line)
    expect(isRunning(browser)).toBe(true)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => isRunning(browser), { interval: 20 }).toBe(false)
    const ours = (): string[] => readdirSync(tmpdir()).filter((name) => name.includes(`-${child.pid}-`))
    expect(ours()).toHaveLength(1)
    const portal = await startPortal()
    const driver = await startCrawlBrowser(found!, portal.origin)
    await expect.poll(ours).toEqual([])
    expect(await driver.memoryBytes()).toBeGreaterThan(20 * 2 ** 20)
    process.kill(driver.processId!, 'SIGKILL')
    expect(await driver.gone).toBe('crashed')
    await driver.close()
    await portal.close()
  })
})

function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    // ps ends with 1 when there is no such process.
    return false
  }
}
