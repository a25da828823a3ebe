import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Failure } from '../../kit/index.ts'
import { exitCodes } from '../exit-codes.ts'
import { printResult } from '../print-result.ts'
import type { Arguments } from '../read-arguments.ts'
import { readInput } from '../read-input.ts'
import { ScanFailure } from '../scan/scan-failure.ts'
import { takeWords } from '../words.ts'
import { copyTests } from './copy-tests.ts'
import { readBranches, unpack } from './read-branches.ts'

const DEFAULT_FOLDER = 'vigil-templates'
const PIN_FILE = 'vigil-templates.json'
const ARCHIVE = /\.(?:tar\.gz|tgz|tar)$/i

/** Where the tests of a folder came from. */
interface Pin {
  readonly source: string
  /** What --ref named; null for all branches, and for an archive. */
  readonly ref: string | null
  /** Branches with their commits, or the archive with its SHA-256. */
  readonly installed: readonly { readonly name: string; readonly commit: string }[]
}

/** Installs the tests of a library into a folder that does not exist yet, or that an earlier install made. */
export async function installTemplates(given: Arguments, words: readonly string[]): Promise<number> {
  const [source] = takeWords(words, ['source'])
  return install(given, source, given.options['ref'] ?? null)
}

/** Replaces an installed folder by the newest state of its source. */
export async function updateTemplates(given: Arguments, words: readonly string[]): Promise<number> {
  takeWords(words, [])
  const folder = folderOf(given)
  const pin = readPin(folder)
  if (pin === null)
    throw new Failure('BAD_COMMAND', { reason: `${folder} was not made by vigil templates install` })
  return install(given, pin.source, given.options['ref'] ?? pin.ref)
}

async function install(given: Arguments, source: string, ref: string | null): Promise<number> {
  const folder = folderOf(given)
  const before = existsSync(folder) ? readPin(folder) : null
  if (existsSync(folder) && before === null)
    throw new Failure('BAD_COMMAND', {
      reason: `${folder} exists and was not made by vigil templates install; name another --folder`,
    })
  const work = mkdtempSync(join(tmpdir(), 'vigil-templates-'))
  // Beside its place, so that it can be moved there at once.
  const made = mkdtempSync(`${resolve(folder)}.new-`)
  try {
    const parts = ARCHIVE.test(source)
      ? [await readArchive(given, source, work)]
      : await readBranches(source, ref, work)
    const copied = await copyTests(parts, made)
    if (copied.tests === 0) throw new ScanFailure(`there is no test in ${source}`)
    const installed = parts.map(({ name, commit }) => ({ name, commit }))
    const pin: Pin = { source, ref, installed }
    writeFileSync(join(made, PIN_FILE), `${JSON.stringify(pin, null, 2)}\n`)
    replaceFolder(made, folder, before !== null)
    printResult(given, { folder, ...copied, ...pin }, textOf(folder, copied, pin))
    return exitCodes.done
  } catch (error) {
    if (!(error instanceof ScanFailure)) throw error
    process.stderr.write(`vigil: ${error.message}\n`)
    return exitCodes.failed
  } finally {
    for (const path of [work, made]) rmSync(path, { recursive: true, force: true })
  }
}

function folderOf(given: Arguments): string {
  const folder = given.options['folder'] ?? DEFAULT_FOLDER
  if (!existsSync(dirname(resolve(folder))))
    throw new Failure('BAD_COMMAND', { reason: `--folder: there is no folder ${dirname(resolve(folder))}` })
  return folder
}

function readPin(folder: string): Pin | null {
  try {
    return JSON.parse(readFileSync(join(folder, PIN_FILE), 'utf8')) as Pin
  } catch {
    return null // absent, or of something else
  }
}

async function readArchive(given: Arguments, source: string, work: string) {
  const { bytes } = await readInput(source, given.report.settings)
  const commit = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const folder = join(work, 'archive')
  try {
    await unpack(/\.tar$/i.test(source) ? bytes : gunzipSync(bytes), folder)
  } catch (error) {
    throw new ScanFailure(`${source} cannot be unpacked: ${(error as Error).message}`)
  }
  return { name: 'archive', commit, folder }
}

/** The old folder goes only once the new one is in its place. */
function replaceFolder(made: string, folder: string, isThere: boolean): void {
  const old = `${resolve(folder)}.old-${process.pid}`
  if (isThere) renameSync(folder, old)
  renameSync(made, folder)
  rmSync(old, { recursive: true, force: true })
}

function textOf(folder: string, copied: { tests: number; refused: string[] }, { installed }: Pin): string {
  const lines = [
    ...installed.map(({ name, commit }) => `${name}: ${commit}`),
    ...copied.refused.map((name) => `${name} cannot be used: see vigil templates validate ${folder}`),
    `${copied.tests} tests are in ${folder}; use them with --template-dirs ${folder}`,
  ]
  return `${lines.join('\n')}\n`
}
