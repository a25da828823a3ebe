import { JsonScanner } from '../../http/index.ts'
import { DecodeBudget } from '../decode-budget.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeNucleiResult, readNucleiResult } from '../findings/nuclei-result.ts'
import { ImportReportWriter } from '../import-report.ts'
import type { ImportedFinding } from '../imported-finding.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ELEMENT_LIMITS, JsonListReader } from '../json-list.ts'

const MAX_RESULTS = 200_000
/** A line holds a request and a response. */
const MAX_LINE = 16_777_216

/**
 * Results of nuclei: JSON lines (`-jsonl`) or a JSON array (`-json-export`). Each match on an HTTP endpoint is a finding;
 * those without a severity from low to critical, and those about anything but HTTP, are skipped.
 */
export const nucleiImporter: Importer = {
  name: 'nuclei',
  label: 'nuclei results (JSON lines or JSON)',
  endings: ['nuclei.jsonl', 'nuclei.json', 'nuclei-results.jsonl', 'nuclei-results.json'],
  detect: ({ shape, keys }) => shape === 'json' && keys.has('template-id') && keys.has('info'),
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input, true)
    const report = new ImportReportWriter(options.fileName ?? 'nuclei results')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const first = /\S/.exec(text)?.[0]
    // Without a finding nuclei writes an empty file.
    if (first !== undefined && first !== '{' && first !== '[')
      throw unreadable('nuclei', 'it is not JSON', 'line 1')
    const entries = first === '[' ? readArray(text, report) : readLines(text, report)
    return {
      importer: 'nuclei',
      exchanges: [],
      findings: findingsOf(entries, report, options),
      declared: [],
      report,
    }
  },
}

interface Entry {
  readonly index: number
  readonly where: string
  readonly value: unknown
}

function* findingsOf(
  entries: Iterable<Entry>,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedFinding> {
  const budget = new DecodeBudget()
  for (const { index, where, value } of entries) {
    const read = readNucleiResult(value, { index, where }, options, budget)
    if (typeof read === 'string') report.skip(index, where, describeNucleiResult(value), read)
    else {
      report.take(index, where, read.finding.what, read.problems)
      yield read.finding
    }
  }
}

function readArray(text: string, report: ImportReportWriter): Iterable<Entry> {
  const scanner = new JsonScanner(text, ELEMENT_LIMITS, text.indexOf('[') + 1)
  return new JsonListReader(scanner, report, {
    pointer: '',
    maxElements: MAX_RESULTS,
    noun: 'results',
  }).read()
}

function* readLines(text: string, report: ImportReportWriter): Generator<Entry> {
  let index = 0
  let line = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const written = text.slice(start, end).trim()
    start = end + 1
    line++
    if (written === '') continue
    const where = `line ${line}`
    if (index >= MAX_RESULTS) return report.stop(where, `only the first ${MAX_RESULTS} results are read`)
    const value = parseLine(written)
    if (typeof value === 'string') report.skip(index, where, '', value)
    else yield { index, where, value }
    index++
  }
}

/** The object on a line; the reason as text when there is none. */
function parseLine(line: string): object | string {
  if (line.length > MAX_LINE) return `the line is longer than ${MAX_LINE} characters`
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : 'the line is not an object'
  } catch {
    return 'the line is not JSON'
  }
}
