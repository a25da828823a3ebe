import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { Failure, writeFileDurably } from '../../kit/index.ts'

/** The build that is installed unless another one is named; the driver of crawls is tested with it. */
const DEFAULT_BUILD = '156.0.8078.47'
const OWNER_ONLY = 0o700
const NOTE = 'installed.json'

/** A browser that `vigil browser install` put on this machine. */
interface InstalledBrowser {
  readonly path: string
  readonly version: string
}

/** What is to be installed. */
interface BrowserOrder {
  /** Origin and path of a copy of the public store of builds; null for the public store. */
  readonly mirror: string | null
  /** Null for the build that this version of Vigil was tested with. */
  readonly version: string | null
  /** SHA-256 of the archive as hexadecimal digits; null when it is not known. */
  readonly sha256: string | null
  readonly progress: (doneBytes: number, totalBytes: number) => void
}

/** Where browsers are installed: in the cache of the user, so that all data folders share them. */
function browserFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(cache, 'vigil', 'browsers')
}

/** The installed browser; null when none is. */
export function installedBrowser(): InstalledBrowser | null {
  const file = join(browserFolder(), NOTE)
  if (!existsSync(file)) return null
  const note = JSON.parse(readFileSync(file, 'utf8')) as InstalledBrowser
  return existsSync(note.path) ? note : null
}

/**
 * Downloads and unpacks a headless Chrome. A browser that was installed before stays until the new one is complete, and
 * is kept if that fails.
 *
 * @throws Failure BROWSER_NOT_INSTALLED with the reason
 */
export async function installBrowser(order: BrowserOrder): Promise<InstalledBrowser> {
  const { Browser, install } = await import('@puppeteer/browsers')
  const folder = browserFolder()
  const version = order.version ?? DEFAULT_BUILD
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  const home = mkdtempSync(join(folder, `${version}-`))
  try {
    const { executablePath } = await install({
      browser: Browser.CHROMEHEADLESSSHELL,
      buildId: version,
      cacheDir: home,
      downloadProgressCallback: order.progress,
      ...(order.mirror === null ? {} : { baseUrl: order.mirror.replace(/\/$/, '') }),
      ...(order.sha256 === null ? {} : { expectedHash: order.sha256 }),
    })
    if (!existsSync(executablePath))
      throw new Error(`the archive does not contain ${basename(executablePath)}`)
    const installed = { path: executablePath, version }
    writeFileDurably(join(folder, NOTE), `${JSON.stringify(installed)}\n`, 0o600)
    removeAllBut(folder, [NOTE, basename(home)])
    return installed
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    const reason = (error as Error).message.replace(/\s+/g, ' ').trim()
    throw new Failure('BROWSER_NOT_INSTALLED', { reason }, { cause: error })
  }
}

/** Removes earlier browsers and what interrupted installations left. */
function removeAllBut(folder: string, kept: readonly string[]): void {
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
}
