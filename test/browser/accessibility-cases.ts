import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer, testPassword } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { email, everyPage, filledPages, signedIn, signIn } from './installation.ts'
import { Visitor } from './visitor.ts'

/** Every page is opened three times. */
const patience = 600_000

/** Every page with axe in both colour schemes and on a narrow screen, full, and with dialogs open. */
export function accessibilityCases(browserOf: () => Browser): void {
  const deps = filledInstallation(browserOf)
  it('finds no fault with a full installation', () => fullInstallation(deps()), patience)
  it('finds no fault with menus, dialogs and notices', () => dialogs(deps()), patience)
  it(
    'finds no fault before and after the first sign-up',
    () => emptyInstallation(browserOf(), ['/']),
    patience,
  )
}

/** Every page with axe in both colour schemes and on a narrow screen, before a broken server and empty. */
export function brokenAndEmptyCases(browserOf: () => Browser): void {
  const deps = filledInstallation(browserOf)
  it('finds no fault while the server is broken', () => brokenServer(deps()), patience)
  it('finds no fault with an empty installation', () => emptyInstallation(browserOf(), everyPage), patience)
}

/** What the cases run against: a browser, and a server that holds the recording. */
interface FilledInstallation {
  readonly browser: Browser
  readonly server: TestServer
}

function filledInstallation(browserOf: () => Browser): () => FilledInstallation {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    const content = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har'), 'utf8')
    await server.client.op.uploadHar({ content, apiCollectionName: 'juiceshop', fileName: 'juiceshop.har' })
  }, patience)
  afterAll(() => server.close())
  return () => ({ browser: browserOf(), server })
}

async function fullInstallation({ browser, server }: FilledInstallation): Promise<void> {
  const visitor = await signedIn(browser, server)
  expect(await breachesOf(visitor, [...everyPage, ...(await filledPages(server))])).toEqual([])
  await visitor.leave()
}

async function brokenServer({ browser, server }: FilledInstallation): Promise<void> {
  const visitor = await signedIn(browser, server)
  const pages = [...everyPage, ...(await filledPages(server))]
  await breakServer(visitor.page)
  expect(await breachesOf(visitor, pages)).toEqual([])
  await visitor.open('/apis')
  expect(await visitor.text()).toContain('Check the database')
  await visitor.leave()
}

async function emptyInstallation(browser: Browser, pages: readonly string[]): Promise<void> {
  const server = await startTestServer()
  const visitor = await Visitor.arrive(browser, server.baseUrl)
  expect(await breachesOf(visitor, ['/'])).toEqual([])
  await signUpPerson(server, email)
  expect(await breachesOf(visitor, ['/', '/signup?invitationCode=x'])).toEqual([])
  await signIn(visitor)
  expect(await breachesOf(visitor, pages)).toEqual([])
  await visitor.leave()
  await server.close()
}

async function dialogs({ browser, server }: FilledInstallation): Promise<void> {
  const visitor = await signedIn(browser, server)
  const breaches: string[] = []
  const look = async (at: string) => {
    breaches.push(...(await visitor.breaches()).map((breach) => `${at}: ${breach}`))
  }
  await visitor.open('/apis')
  await visitor.click('button', 'Actions for juiceshop')
  await visitor.page.waitForSelector('[role="menuitem"]')
  await look('menu of a collection')
  await visitor.click('menuitem', 'Delete')
  await visitor.page.waitForSelector('[role="dialog"]')
  await look('question before deleting')
  await visitor.page.keyboard.press('Escape')
  await visitor.until(`document.activeElement.ariaLabel === 'Actions for juiceshop'`)
  await visitor.click('button', 'New collection')
  await visitor.fill('Name', 'juiceshop')
  await visitor.click('button', 'Create')
  await visitor.sees('Collection names must be unique')
  await look('refusal in a dialog')
  await visitor.click('button', 'Cancel')
  await visitor.click('button', 'Actions for juiceshop')
  await visitor.click('menuitem', 'Deactivate')
  await visitor.sees('juiceshop is deactivated')
  await look('notice with a way back')
  await visitor.click('button', 'Undo')
  await visitor.sees('juiceshop is active')
  await visitor.open('/settings/team')
  await visitor.click('button', 'Invite')
  await visitor.click('combobox', 'Role')
  await visitor.page.waitForSelector('[role="option"]')
  await look('list of roles in a dialog')
  await visitor.open('/settings/status')
  await visitor.click('button', `Account ${email}`)
  await visitor.click('menuitem', 'Two-step sign-in')
  await visitor.page.waitForSelector('[role="dialog"] ::-p-text(Set up an app)')
  await look('two-step sign-in')
  await visitor.fill('Current password', testPassword)
  await visitor.click('button', 'Set up an app')
  await visitor.page.waitForSelector('[role="dialog"] img')
  await look('the code of an app')
  const [secret = ''] = await visitor.texts('[role="dialog"] code')
  await visitor.fill('Code of the app', new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await visitor.click('button', 'Turn on')
  const recoveryCodes = '[role="dialog"] [aria-label="Recovery codes"]'
  await visitor.page.waitForSelector(recoveryCodes)
  await look('recovery codes')
  const codes = await visitor.texts(recoveryCodes)
  await visitor.click('button', 'I have kept them')
  await turnOffSecondFactor(visitor, codes.join('').trim().split(/\s+/)[0] ?? '')
  expect([...breaches, ...visitor.faults]).toEqual([])
  await visitor.leave()
}

/** Opened again without a reload, the dialog knows that the second factor is on, and a recovery code turns it off. */
async function turnOffSecondFactor(visitor: Visitor, recoveryCode: string): Promise<void> {
  await visitor.click('button', `Account ${email}`)
  await visitor.click('menuitem', 'Two-step sign-in')
  await visitor.sees('To turn it off, enter a code')
  await visitor.fill('Code', recoveryCode)
  await visitor.click('button', 'Turn off')
  await visitor.until(`document.querySelector('[role="dialog"]') === null`)
}

/**
 * Opens pages and lists their breaches of the rules of axe in either colour scheme, faults of the pages, and pages and
 * tables that do not fit a screen of 320 pixels.
 */
export async function breachesOf(visitor: Visitor, pages: readonly string[]): Promise<string[]> {
  const breaches: string[] = []
  for (const path of pages) {
    await visitor.open(path)
    breaches.push(...(await visitor.breaches()).map((breach) => `${path}: ${breach}`))
    await visitor.page.setViewport({ width: 320, height: 800 })
    const width = await settledWidth(visitor)
    if (width > 320) breaches.push(`${path}: ${width} pixels wide on a screen of 320`)
    breaches.push(...(await wideTables(visitor)).map((label) => `${path}: ${label} on a screen of 320`))
    await visitor.page.setViewport({ width: 1280, height: 900 })
  }
  return [...breaches, ...visitor.faults]
}

/** Labels of tables that scroll sideways although their rows should be cards. */
async function wideTables({ page }: Visitor): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('[data-edge] > section')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth + 1).map((frame) => frame.ariaLabel)`)) as string[]
}

/** Width of the page in pixels once it has followed a smaller screen, or after five seconds. */
async function settledWidth({ page }: Visitor): Promise<number> {
  const width = 'document.documentElement.scrollWidth'
  await page.waitForFunction(`${width} <= innerWidth`, { timeout: 5_000 }).catch((error: Error) => {
    if (error.name !== 'TimeoutError') throw error
  })
  return Number(await page.evaluate(width))
}
