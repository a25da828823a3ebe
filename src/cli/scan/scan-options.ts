import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { Failure, type SettingsReport } from '../../kit/index.ts'
import { fileReason } from '../file-reason.ts'
import type { Arguments } from '../read-arguments.ts'
import { isAddress } from '../read-input.ts'
import { readBaseline } from './baseline.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { type ReportKind, reportKinds } from './report-kinds.ts'
import { readRoles, readRolesFile, type ScanRole } from './roles-file.ts'
import { type Severity, severityOrder } from './scan-result.ts'

const WRITE_LEVELS = { 'read-only': 'READ_ONLY', reversible: 'REVERSIBLE', all: 'ALL' } as const
type WriteLevel = (typeof WRITE_LEVELS)[keyof typeof WRITE_LEVELS]
const UNITS = { s: 1, m: 60, h: 3600 } as const

/** Options of the command that take a value. */
export const valueOptions = [
  ...[
    'target',
    'crawl',
    'crawl-time',
    'roles',
    'tests',
    'categories',
    'severities',
    'tags',
    'path',
    'method',
    'write-level',
    'rate',
  ],
  ...['config', 'max-time', 'fail-on', 'baseline', 'collection', 'server', 'key', ...reportKinds],
]
/** Options of the command that take none. */
export const switchOptions = ['safe']

/** A scan as it was asked for. */
export interface ScanOptions {
  readonly files: readonly string[]
  readonly target: URL
  /** Where a crawl begins; null without one. */
  readonly crawl: URL | null
  /** Of the crawl; 0 for what it takes by default. */
  readonly crawlSeconds: number
  readonly roles: readonly ScanRole[]
  /** Lower-case words; empty for all. */
  readonly select: {
    readonly tests: readonly string[]
    readonly categories: readonly string[]
    readonly severities: readonly Severity[]
    readonly tags: readonly string[]
    readonly paths: readonly string[]
    readonly methods: readonly string[]
  }
  readonly writeLevel: WriteLevel
  /** Requests a second at most; null for no limit. */
  readonly rate: number | null
  /** 0 for what the server does by default. */
  readonly maxSeconds: number
  readonly failOn: Severity | 'NONE'
  /** Null without a baseline. */
  readonly baseline: ReadonlySet<string> | null
  readonly reports: ReadonlyMap<ReportKind, string>
  readonly collection: string | null
  /** Null for a separate server in this process. */
  readonly server: { readonly url: string; readonly key: string } | null
  readonly settings: SettingsReport
}

/**
 * Reads and checks everything that can be checked before anything starts.
 *
 * @throws Failure BAD_COMMAND
 */
export function readScanOptions(given: Arguments): ScanOptions {
  const config = configOf(given)
  const { report } = given
  const words = given.words.length > 0 ? given.words : (config?.files ?? [])
  const options = { ...config?.options, ...givenOptions(given) }
  const crawl = options['crawl'] === undefined ? null : urlOf(options['crawl'], '--crawl')
  if (words.length === 0 && crawl === null)
    throw misuse('<file> is missing: an OpenAPI, HAR, Postman or GraphQL file; or --crawl URL')
  if (crawl === null && options['crawl-time'] !== undefined) throw misuse('--crawl-time is for --crawl')
  for (const file of words)
    if (!isAddress(file) && !existsSync(file)) throw misuse(`there is no file ${file}`)
  const severities = listOf(options['severities']).map((word) => severityOf(word, '--severities'))
  const rate = options['rate'] === undefined ? null : numberOf(options['rate'], '--rate', 1, 100_000)
  const server = serverOf(options, report)
  if (rate !== null && server !== null)
    throw misuse('--rate is not for --server: set VIGIL_TARGET_REQUESTS_PER_MINUTE there')
  return {
    files: words,
    target: targetOf(options['target'] ?? crawl?.origin),
    crawl,
    crawlSeconds: options['crawl-time'] === undefined ? 0 : secondsOf(options['crawl-time'], '--crawl-time'),
    roles: rolesOf(options['roles'], config),
    select: {
      tests: listOf(options['tests']),
      categories: listOf(options['categories']).map(lower),
      severities,
      tags: listOf(options['tags']).map(lower),
      paths: listOf(options['path']),
      methods: listOf(options['method']).map((method) => method.toUpperCase()),
    },
    writeLevel: writeLevelOf(options),
    rate,
    maxSeconds: options['max-time'] === undefined ? 0 : secondsOf(options['max-time'], '--max-time'),
    failOn: failOnOf(options),
    baseline: options['baseline'] === undefined ? null : readBaseline(options['baseline']),
    reports: reportsOf(options),
    collection: options['collection'] ?? null,
    server,
    settings: report,
  }
}

/** Options that stand on the command line: they win over those of a file. */
function givenOptions({ options }: Arguments): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function configOf({ options }: Arguments): ConfigFile | null {
  if (options['config'] === undefined) return null
  const known = valueOptions.filter((name) => name !== 'config' && name !== 'key' && name !== 'roles')
  return readConfigFile(options['config'], known, switchOptions)
}

function rolesOf(path: string | undefined, config: ConfigFile | null): ScanRole[] {
  if (path !== undefined) return readRolesFile(path, process.env)
  if (config?.roles === undefined) return []
  return readRoles(config.roles, process.env, (reason) => misuse(`roles of --config: ${reason}`))
}

function misuse(reason: string): Failure {
  return new Failure('BAD_COMMAND', { reason })
}

function lower(word: string): string {
  return word.toLowerCase()
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function targetOf(text: string | undefined): URL {
  if (text === undefined)
    throw misuse('--target is missing: the address that may be tested, such as http://127.0.0.1:8080')
  const url = urlOf(text, '--target')
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw misuse('--target takes scheme, host, port and path only')
  return url
}

/** The least severity that fails. @throws Failure BAD_COMMAND */
export function failOnOf(options: Readonly<Record<string, string | undefined>>): Severity | 'NONE' {
  const word = options['fail-on'] ?? 'high'
  return word === 'none' ? 'NONE' : severityOf(word, '--fail-on')
}

function urlOf(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw misuse(
      `${option} takes an http or https URL such as http://127.0.0.1:8080, not ${text.slice(0, 200)}`,
    )
  return url
}

function severityOf(word: string, option: string): Severity {
  const severity = severityOrder.find((one) => one === word.toUpperCase())
  const known = `${severityOrder.map(lower).join(', ')}${option === '--fail-on' ? ' or none' : ''}`
  if (severity === undefined) throw misuse(`${option} takes ${known}, not ${word}`)
  return severity
}

function numberOf(text: string, option: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= least && number <= most)) throw misuse(`${option} takes ${least} to ${most}, not ${text}`)
  return number
}

function secondsOf(text: string, option: string): number {
  const [, digits = '', unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const seconds = Number(digits) * UNITS[unit as keyof typeof UNITS]
  if (digits === '' || seconds < 1 || seconds > 21_600)
    throw misuse(`${option} takes 1s to 6h, such as 90s or 10m, not ${text}`)
  return seconds
}

function writeLevelOf(options: Readonly<Record<string, string | undefined>>): WriteLevel {
  const word = options['write-level']
  if (options['safe'] === 'true') {
    if (word !== undefined && word !== 'read-only')
      throw misuse(`--safe and --write-level ${word} exclude each other`)
    return 'READ_ONLY'
  }
  if (word === undefined) return 'REVERSIBLE'
  const level = WRITE_LEVELS[word as keyof typeof WRITE_LEVELS]
  if (level === undefined) throw misuse(`--write-level takes read-only, reversible or all, not ${word}`)
  return level
}

function serverOf(
  options: Readonly<Record<string, string | undefined>>,
  { settings }: SettingsReport,
): { url: string; key: string } | null {
  const url = options['server']
  if (url === undefined) {
    if (options['key'] !== undefined) throw misuse('--key is for --server')
    return null
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw misuse('--server takes an http or https URL')
  const key = options['key'] ?? settings.apiKey
  if (!key) throw misuse('--key is missing, and VIGIL_API_KEY is not set')
  return { url, key }
}

/**
 * Files of reports by kind, which can all be written.
 *
 * @throws Failure BAD_COMMAND
 */
export function reportsOf(options: Readonly<Record<string, string | undefined>>): Map<ReportKind, string> {
  const reports = new Map<ReportKind, string>()
  for (const kind of reportKinds) {
    const path = options[kind]
    if (path === undefined) continue
    if (path !== '-') requireWritable(kind, path)
    if ([...reports.values()].includes(path)) throw misuse(`two reports go to ${path}`)
    reports.set(kind, path)
  }
  return reports
}

function tryNewFile(path: string): void {
  // For appending: what another command writes to it meanwhile stays.
  closeSync(openSync(path, 'a'))
  // Of a symbolic link what it leads to.
  const made = realpathSync(path)
  if (statSync(made).size === 0) rmSync(made, { force: true })
}

/** A report that cannot be written is noticed before the scan, not after it. */
function requireWritable(kind: string, path: string): void {
  try {
    const wasThere = existsSync(path)
    if (wasThere && statSync(path).isDirectory()) throw new Error('it is a folder')
    if (wasThere) accessSync(path, constants.W_OK)
    else tryNewFile(path)
  } catch (error) {
    throw misuse(`--${kind} ${path} cannot be written: ${fileReason(error)}`)
  }
}
