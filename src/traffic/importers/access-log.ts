import { accessLogFields } from '../../contract/import-formats.ts'
import { JsonScanner } from '../../http/index.ts'
import { isBalancerLog, readBalancerLine } from '../access-log/balancer-line.ts'
import { isCommonLog, readCommonLine } from '../access-log/common-line.ts'
import { type LogEntry, logExchange } from '../access-log/log-entry.ts'
import { durationIn, type FieldMapping, isLogEntry, logValue } from '../access-log/log-fields.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import { ELEMENT_LIMITS, JsonListReader } from '../json-list.ts'
import { asObject } from '../untrusted-value.ts'

const MAX_ENTRIES = 500_000
const MAX_LINE = 262_144
const FIELDS_TOLD = 12

/**
 * Access logs: one JSON object a line (or a JSON array of them) as nginx, Envoy, Caddy, Traefik, cloud load balancers
 * and log shippers write them, the common and combined log format, or lines of
 * Envoy and of load balancers of AWS. A log has neither bodies nor credentials: its
 * entries show which endpoints exist and how they answer.
 */
export const accessLogImporter: Importer = {
  name: 'access-log',
  label: 'access log (JSON lines, common or combined log format)',
  endings: ['.log'],
  detect: ({ shape, keys, head }) =>
    (shape === 'json' && isLogEntry(keys)) || (shape === 'text' && isCommonLog(head)) || isBalancerLog(head),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const report = new ImportReportWriter(options.fileName ?? 'access log')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const first = /\S/.exec(text)?.[0]
    if (first === '<') throw unreadable('access-log', 'it is XML or HTML', 'line 1')
    if (first === '[' && !isCommonLog(text) && !isBalancerLog(text))
      return result(readArray(text, report, options), report)
    return result(readLines(text, report, options), report)
  },
}

function result(exchanges: Iterable<ImportedExchange>, report: ImportReportWriter) {
  return { importer: 'access-log' as const, exchanges, declared: [], report }
}

function* readArray(
  text: string,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const scanner = new JsonScanner(text, ELEMENT_LIMITS, text.indexOf('[') + 1)
  const place = { pointer: '', maxElements: MAX_ENTRIES, noun: 'entries' }
  for (const { index, where, value } of new JsonListReader(scanner, report, place).read())
    yield* takeEntry({ index, where }, readObject(value, options.fields ?? {}), report, options)
}

function* readLines(
  text: string,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  let index = 0
  let line = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const written = text.slice(start, end).trim()
    start = end + 1
    line++
    if (written === '' || written.startsWith('#')) continue
    const where = `line ${line}`
    if (index >= MAX_ENTRIES) return report.stop(where, `only the first ${MAX_ENTRIES} entries are read`)
    yield* takeEntry({ index, where }, readLine(written, options.fields ?? {}), report, options)
    index++
  }
}

function readLine(line: string, mapping: FieldMapping): LogEntry | string {
  if (!line.startsWith('{')) return readBalancerLine(line) ?? readCommonLine(line)
  if (line.length > MAX_LINE) return `the line is longer than ${MAX_LINE} characters`
  try {
    return readObject(JSON.parse(line), mapping)
  } catch {
    return 'the line is not valid JSON'
  }
}

function readObject(value: unknown, mapping: FieldMapping): LogEntry | string {
  const entry = asObject(value)
  if (entry === undefined) return 'the entry is not an object'
  const texts = accessLogFields.filter((field) => field !== 'duration')
  const read = {
    ...Object.fromEntries(texts.map((field) => [field, logValue(entry, field, mapping)])),
    durationMs: durationIn(entry, mapping),
  }
  const { request, url, method } = read as unknown as LogEntry
  if (request !== '' || (url !== '' && method !== '')) return read as unknown as LogEntry
  const known = Object.keys(entry).slice(0, FIELDS_TOLD)
  const told = known.map((name) => name.slice(0, 40)).join(', ')
  return `no known field tells ${url === '' ? 'the path' : 'the method'}; it has ${told}: name the field`
}

function* takeEntry(
  { index, where }: Pick<ImportedExchange, 'index' | 'where'>,
  entry: LogEntry | string,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const notes: string[] = []
  const exchange = typeof entry === 'string' ? entry : logExchange(entry, options, notes)
  if (typeof exchange === 'string') {
    const what = typeof entry === 'string' ? '' : describeRequest(entry.method || undefined, entry.url)
    report.skip(index, where, what, exchange)
    return
  }
  const what = describeRequest(exchange.request.method, exchange.request.target)
  report.take(index, where, what, notes)
  yield { exchange, index, where, what }
}
