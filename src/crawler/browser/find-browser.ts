import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../kit/index.ts'
import { installedBrowser } from './installed-browser.ts'
import { FONTS_FILE, unpackedProgram, unpackPackage } from './unpack-package.ts'

/** A browser that can be started, and what its process needs in its environment beside the usual. */
export interface FoundBrowser {
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
  readonly origin: BrowserOrigin
}

/** Where a browser came from: the setting, the system, `vigil browser install`, or the package of a clone. */
type BrowserOrigin = 'setting' | 'system' | 'installed' | 'package'

/** What there is, before anything is unpacked. */
export type BrowserSupply =
  | { readonly origin: 'setting' | 'system' | 'installed'; readonly path: string }
  | { readonly origin: 'package'; readonly bin: string; readonly version: string }

/** Shells first: they are smaller and call nobody. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
/** Where macOS keeps programs that are on no path. */
const MAC_PROGRAMS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const PACKAGE = '@sparticuz/chromium'

/**
 * Looks for a browser and changes nothing: the setting, one on the system, the installed one, the build of the optional
 * package. Null when there is none.
 *
 * @param configured value of the setting `browser`
 * @throws Failure BROWSER_UNUSABLE when the setting names nothing that can be run
 */
export function findBrowser(configured: string | null): BrowserSupply | null {
  if (configured !== null) {
    try {
      accessSync(configured, constants.X_OK)
    } catch (error) {
      throw new Failure(
        'BROWSER_UNUSABLE',
        { path: configured, reason: 'it cannot be run' },
        { cause: error },
      )
    }
    return { origin: 'setting', path: configured }
  }
  const path = onSystem()
  if (path !== null) return { origin: 'system', path }
  const installed = installedBrowser()
  return installed === null ? inPackage() : { origin: 'installed', path: installed.path }
}

/**
 * Makes a found browser ready to start: the one of the package is unpacked once into a folder.
 *
 * @param folder keeps unpacked browsers; made when it is absent
 * @throws Failure BROWSER_UNUSABLE
 */
export async function readyBrowser(supply: BrowserSupply, folder: string): Promise<FoundBrowser> {
  if (supply.origin !== 'package')
    return { path: supply.path, environment: environmentOf(supply.path), origin: supply.origin }
  const home = join(folder, `chromium-${supply.version}`)
  try {
    await unpackPackage(supply.bin, home)
  } catch (error) {
    throw new Failure(
      'BROWSER_UNUSABLE',
      { path: home, reason: `it could not be unpacked: ${(error as Error).message}` },
      { cause: error },
    )
  }
  const path = unpackedProgram(home)
  return { path, environment: environmentOf(path), origin: 'package' }
}

/** An unpacked browser brings libraries and its own fonts, which are next to it. */
function environmentOf(path: string): Record<string, string> {
  const home = dirname(path)
  if (!existsSync(join(home, FONTS_FILE))) return {}
  const libraries = [join(home, 'lib'), home, process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { LD_LIBRARY_PATH: libraries.join(delimiter), FONTCONFIG_FILE: join(home, FONTS_FILE) }
}

function onSystem(): string | null {
  for (const name of SYSTEM_NAMES) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const path = join(folder, name)
      if (folder !== '' && existsSync(path)) return path
    }
  }
  return process.platform === 'darwin' ? (MAC_PROGRAMS.find((path) => existsSync(path)) ?? null) : null
}

function inPackage(): BrowserSupply | null {
  // The package holds one build: Linux on x86-64.
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  let entry: string
  try {
    entry = fileURLToPath(import.meta.resolve(PACKAGE))
  } catch (error) {
    // An optional package: its absence is an answer, not a fault.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
  const home = packageHome(entry)
  if (home === null || !existsSync(join(home, 'bin'))) return null
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return { origin: 'package', bin: join(home, 'bin'), version }
}

function packageHome(entry: string): string | null {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'bin'))) return folder
  return null
}
