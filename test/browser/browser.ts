import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, launch } from 'puppeteer-core'
import { type FoundBrowser, findBrowser, readyBrowser } from '../../src/crawler/index.ts'

/** Where tests keep the browser that npm brought, unpacked. */
export const browserCache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'vigil-browsers')

const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The browser that tests use: VIGIL_BROWSER, one on the system, or the one that npm brought, unpacked once. Null without
 * one.
 */
export async function testBrowser(): Promise<FoundBrowser | null> {
  const supply = findBrowser(process.env['VIGIL_BROWSER'] ?? null)
  return supply === null ? null : readyBrowser(supply, browserCache)
}

/** Starts a browser with a fresh profile; the profile goes away when the browser is closed through {@link stopBrowser}. */
export async function startBrowser(found: FoundBrowser): Promise<{ browser: Browser; profile: string }> {
  const profile = mkdtempSync(join(tmpdir(), 'vigil-browser-'))
  const browser = await launch({
    executablePath: found.path,
    userDataDir: profile,
    headless: true,
    pipe: true,
    // Fields of dates and months have their parts in the order of the language.
    env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8', ...found.environment },
    // Chromium refuses to run as root inside its sandbox; everything it opens here is our own server on loopback.
    args: [...quietFlags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  return { browser, profile }
}

/** Closes the browser and removes its profile. */
export async function stopBrowser(started: { browser: Browser; profile: string }): Promise<void> {
  await started.browser.close()
  rmSync(started.profile, { recursive: true, force: true, maxRetries: 5 })
}
