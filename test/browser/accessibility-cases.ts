import type { Browser } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { email, everyPage, filledPages, signedIn, signIn } from './installation.ts'
import { Visitor } from './visitor.ts'

/** What the cases run against: a browser, and a server that holds the recording. */
export interface AccessibilityGround {
  readonly browser: Browser
  readonly server: TestServer
}

const patience = 180_000

/** Every page with axe in both colour schemes: full, empty, before a broken server, with dialogs open, and narrow. */
export function accessibilityCases(ground: () => AccessibilityGround): void {
  it('finds no fault with a full installation', () => fullInstallation(ground()), patience)
  it('finds no fault while the server is broken', () => brokenServer(ground()), patience)
  it('finds no fault with an empty installation', () => emptyInstallation(ground()), patience)
  it('finds no fault with menus, dialogs and notices', () => dialogs(ground()), patience)
  it('fits a screen of 320 pixels', () => narrowScreen(ground()), patience)
}

async function fullInstallation({ browser, server }: AccessibilityGround): Promise<void> {
  const visitor = await signedIn(browser, server)
  expect(await breachesOf(visitor, [...everyPage, ...(await filledPages(server))])).toEqual([])
  await visitor.leave()
}

async function brokenServer({ browser, server }: AccessibilityGround): Promise<void> {
  const visitor = await signedIn(browser, server)
  const pages = [...everyPage, ...(await filledPages(server))]
  await breakServer(visitor.page)
  expect(await breachesOf(visitor, pages)).toEqual([])
  await visitor.open('/apis')
  expect(await visitor.text()).toContain('Check the database')
  await visitor.leave()
}

async function emptyInstallation({ browser }: AccessibilityGround): Promise<void> {
  const server = await startTestServer()
  const visitor = await Visitor.arrive(browser, server.baseUrl)
  expect(await breachesOf(visitor, ['/'])).toEqual([])
  await signUpPerson(server, email)
  expect(await breachesOf(visitor, ['/', '/signup?invitationCode=x'])).toEqual([])
  await signIn(visitor)
  expect(await breachesOf(visitor, everyPage)).toEqual([])
  await visitor.leave()
  await server.close()
}

async function dialogs({ browser, server }: AccessibilityGround): Promise<void> {
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
  expect([...breaches, ...visitor.faults]).toEqual([])
  await visitor.leave()
}

async function narrowScreen({ browser, server }: AccessibilityGround): Promise<void> {
  const visitor = await signedIn(browser, server)
  await visitor.page.setViewport({ width: 320, height: 800 })
  const wide: string[] = []
  for (const path of [...everyPage, ...(await filledPages(server))]) {
    await visitor.open(path)
    const width = Number(await visitor.page.evaluate('document.documentElement.scrollWidth'))
    if (width > 320) wide.push(`${path}: ${width}`)
  }
  expect(wide).toEqual([])
  await visitor.leave()
}

/** Opens pages and lists their breaches of the rules of axe in either colour scheme, and faults of the pages. */
export async function breachesOf(visitor: Visitor, pages: readonly string[]): Promise<string[]> {
  const breaches: string[] = []
  for (const path of pages) {
    await visitor.open(path)
    breaches.push(...(await visitor.breaches()).map((breach) => `${path}: ${breach}`))
  }
  return [...breaches, ...visitor.faults]
}
