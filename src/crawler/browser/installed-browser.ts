import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../kit/index.ts'

/** The build that is installed unless another one is named; the driver of crawls is tested with it. */
const DEFAULT_BUILD = '156.0.8078.47'
const OWNER_ONLY = 0o700
const NOTE = 'installed.json'

/** A browser that `vigil browser install` put on this machine. */
export interface InstalledBrowser {
  readonly path: string
  readonly version: string
}

/** What is to be installed. */
export interface BrowserOrder {
  /** Origin and path of a copy of the public store of builds; null for the public store. */
  readonly mirror: string | null
  /** Null for the build that this version of Vigil was tested with. */
  readonly version: string | null
  /** SHA-256 of the archive as hexadecimal digits; null when it is not known. */
  readonly sha256: string | null
  readonly progress: (doneBytes: number, totalBytes: number) => void
}

/** Where browsers are installed: in the cache of the user, so that all data folders share them. */
export function browserFolder(): string {
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
 * Downloads and unpacks a headless Chrome. The note of it is written last, so that half an installation is never used.
 *
 * @throws Failure BROWSER_NOT_INSTALLED with the reason
 */
export async function installBrowser(order: BrowserOrder): Promise<InstalledBrowser> {
  const { Browser, install } = await import('@puppeteer/browsers')
  const folder = browserFolder()
  const version = order.version ?? DEFAULT_BUILD
  const product = Browser.CHROMEHEADLESSSHELL
  rmSync(join(folder, product), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  try {
    const { executablePath } = await install({
      browser: product,
      buildId: version,
      cacheDir: folder,
      downloadProgressCallback: order.progress,
      ...(order.mirror === null ? {} : { baseUrl: order.mirror.replace(/\/$/, '') }),
      ...(order.sha256 === null ? {} : { expectedHash: order.sha256 }),
    })
    const installed = { path: executablePath, version }
    writeFileSync(join(folder, NOTE), `${JSON.stringify(installed)}\n`, { mode: 0o600 })
    return installed
  } catch (error) {
    rmSync(join(folder, product), { recursive: true, force: true })
    const reason = (error as Error).message.replace(/\s+/g, ' ').trim()
    throw new Failure('BROWSER_NOT_INSTALLED', { reason }, { cause: error })
  }
}
