import { findBrowser, installBrowser } from '../app/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { takeWords } from './words.ts'

const MEGABYTE = 1_000_000

/** `vigil browser`: installs the browser of crawls, or tells which one is used. */
export const browser: Command = {
  help: `Usage: vigil browser install [--version N] [--mirror URL] [--sha256 HEX]
       vigil browser path
       Each takes --json.

install downloads a headless Chrome (some 120 MB) into the cache folder of this user ($XDG_CACHE_HOME/vigil, else
~/.cache/vigil), where every Vigil of the user finds it. --version names another build than the one that this version was
tested with. --mirror (or VIGIL_BROWSER_MIRROR) names a copy of the public store of builds; over http it needs --sha256,
the checksum of the archive, which is checked before anything is unpacked. On Debian and Ubuntu the libraries that
Chrome needs come with: apt-get install chromium. Unpacking needs the program unzip.
path prints the browser that is used: VIGIL_BROWSER, one of the system, or the installed one.
`,
  async run(args) {
    const given = readArguments(args, ['version', 'mirror', 'sha256'])
    const [action, ...rest] = given.words
    takeWords(rest, [])
    if (action === 'install') await install(given)
    else if (action === 'path') return printPath(given)
    else throw new Failure('BAD_COMMAND', { reason: 'vigil browser takes install or path' })
    return exitCodes.done
  },
}

async function install(given: Arguments): Promise<void> {
  const { version = null, sha256 = null, mirror = given.report.settings.browserMirror } = given.options
  if (version !== null && !/^[\w.-]{1,40}$/.test(version))
    throw new Failure('BAD_COMMAND', { reason: '--version takes a build number, such as 156.0.8078.47' })
  if (sha256 !== null && !/^[0-9a-f]{64}$/i.test(sha256))
    throw new Failure('BAD_COMMAND', { reason: '--sha256 takes 64 hexadecimal digits' })
  if (mirror !== null && !(URL.canParse(mirror) && /^https?:/.test(mirror)))
    throw new Failure('BAD_COMMAND', { reason: '--mirror takes an http or https URL' })
  if (mirror?.startsWith('http:') && sha256 === null)
    throw new Failure('BAD_COMMAND', { reason: 'a mirror over http needs --sha256' })
  const installed = await installBrowser({ version, sha256, mirror, progress: showProgress })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
  if (!given.isJson) process.stderr.write(`Chrome ${installed.version} is installed:\n`)
  printResult(given, { version: installed.version, path: installed.path }, `${installed.path}\n`)
}

function showProgress(doneBytes: number, totalBytes: number): void {
  if (!process.stderr.isTTY) return
  const total = totalBytes > 0 ? ` of ${Math.round(totalBytes / MEGABYTE)}` : ''
  process.stderr.write(`\rDownloaded ${Math.round(doneBytes / MEGABYTE)}${total} MB`)
}

function printPath(given: Arguments): number {
  const supply = findBrowser(given.report.settings.browser)
  if (supply === null) throw new Failure('BROWSER_MISSING')
  const path = supply.origin === 'package' ? supply.bin : supply.path
  printResult(given, { path, origin: supply.origin }, `${path}\n`)
  return exitCodes.done
}
