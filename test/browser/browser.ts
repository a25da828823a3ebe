import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, launch } from 'puppeteer-core'

/** A browser that can be started, and the environment its process needs beside the usual one. */
export interface FoundBrowser {
  readonly path: string
  readonly environment: Record<string, string>
  /** Where it came from, for the line that tests print. */
  readonly origin: 'VIGIL_BROWSER' | 'system' | '@sparticuz/chromium'
}

const systemNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Looks for a browser: the path in VIGIL_BROWSER, one installed on the system, then the build of the npm package
 * @sparticuz/chromium, unpacked once into node_modules/.cache. Null when none can be had.
 *
 * @throws Error when VIGIL_BROWSER names something that cannot be run
 */
export function findBrowser(): FoundBrowser | null {
  const configured = process.env['VIGIL_BROWSER']
  if (configured) {
    accessSync(configured, constants.X_OK)
    return { path: configured, environment: {}, origin: 'VIGIL_BROWSER' }
  }
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const name = systemNames.find((candidate) => existsSync(join(folder, candidate)))
    if (name !== undefined) return { path: join(folder, name), environment: {}, origin: 'system' }
  }
  return fromPackage()
}

/** Starts a browser with a fresh profile; the profile goes away when the browser is closed through {@link stopBrowser}. */
export async function startBrowser(found: FoundBrowser): Promise<{ browser: Browser; profile: string }> {
  const profile = mkdtempSync(join(tmpdir(), 'vigil-browser-'))
  const browser = await launch({
    executablePath: found.path,
    userDataDir: profile,
    headless: true,
    pipe: true,
    env: { ...process.env, ...found.environment },
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

function fromPackage(): FoundBrowser | null {
  const bin = packageBin()
  // The package holds one build: Linux on x86-64.
  if (bin === null || process.platform !== 'linux' || process.arch !== 'x64') return null
  const folder = join(dirname(bin), '..', '..', '.cache', `vigil-chromium-${packageVersion(bin)}`)
  if (!existsSync(join(folder, 'chromium'))) unpack(bin, folder)
  const libraries = [join(folder, 'lib'), folder, process.env['LD_LIBRARY_PATH']]
    .filter(Boolean)
    .join(delimiter)
  return {
    path: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'vigil-fonts.conf') },
    origin: '@sparticuz/chromium',
  }
}

function packageBin(): string | null {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')
  } catch (error) {
    // An optional package: its absence is one of the three answers, not a fault.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

function packageVersion(bin: string): string {
  const { version } = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8')) as { version: string }
  return version
}

/** Unpacks beside the target and renames: several processes may do it at once, and a killed one leaves no half. */
function unpack(bin: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  for (const archive of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
    execFileSync('tar', ['-x', '-C', fresh], {
      input: brotliDecompressSync(readFileSync(join(bin, archive))),
    })
  }
  writeFileSync(join(fresh, 'chromium'), brotliDecompressSync(readFileSync(join(bin, 'chromium.br'))), {
    mode: 0o755,
  })
  writeFileSync(join(fresh, 'vigil-fonts.conf'), fontsConfiguration(join(folder, 'fonts')))
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(join(folder, 'chromium'))) throw error
  }
}

function fontsConfiguration(folder: string): string {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${folder}</dir>`,
    '<dir>/usr/share/fonts</dir>',
    '<cachedir prefix="xdg">fontconfig</cachedir>',
    '</fontconfig>',
    '',
  ].join('\n')
}
