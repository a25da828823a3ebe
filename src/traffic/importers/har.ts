import { JsonScanner } from '../../http/index.ts'
import type { Failure } from '../../kit/index.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { readHarEntry } from '../har-entry.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import type { ListElement } from '../json-list.ts'
import { ELEMENT_LIMITS, JsonListReader, placeOf } from '../json-list.ts'
import { asObject, own } from '../untrusted-value.ts'

/** Most entries of one file; a browser session has thousands. */
const MAX_ENTRIES = 500_000
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const COMMA = 0x2c
const COLON = 0x3a

/**
 * HTTP Archive 1.1 and 1.2. Entries are found and parsed one by one, so that memory stays that of the largest
 * entry, one broken entry costs only itself, and of a file that was cut off everything before the cut is taken.
 */
export const harImporter: Importer = {
  name: 'har',
  label: 'HAR 1.1 or 1.2',
  endings: ['.har'],
  detect: (sketch) => sketch.keys.has('log') && !sketch.isArray,
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const report = new ImportReportWriter(options.fileName ?? 'HAR')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const scanner = new JsonScanner(text, ELEMENT_LIMITS)
    enterEntries(scanner)
    return {
      importer: 'har',
      exchanges: readEntries(scanner, report, options),
      declared: [],
      report,
    }
  },
}

/** Moves behind the bracket that opens `log.entries`. */
function enterEntries(scanner: JsonScanner): void {
  for (const key of ['log', 'entries']) {
    if (!scanner.accept(OPEN_OBJECT)) throw notHar(scanner, `expected an object that holds "${key}"`)
    enterKey(scanner, key)
  }
  if (!scanner.accept(OPEN_ARRAY)) throw notHar(scanner, '"log.entries" is not a list')
}

function enterKey(scanner: JsonScanner, wanted: string): void {
  if (scanner.peek() === CLOSE_OBJECT) throw notHar(scanner, `it has no "${wanted}"`)
  for (;;) {
    const key = scanner.readString()
    if (key === undefined) throw notHar(scanner, scanner.fault?.reason ?? '')
    if (!scanner.accept(COLON)) throw notHar(scanner, 'expected ":"')
    if (key === wanted) return
    if (!skipBeside(scanner)) throw notHar(scanner, scanner.fault?.reason ?? '')
    if (!scanner.accept(COMMA)) throw notHar(scanner, `it has no "${wanted}"`)
  }
}

function notHar(scanner: JsonScanner, reason: string): Failure {
  const offset = scanner.fault?.offset ?? scanner.pos
  const ended = scanner.pos >= scanner.text.length
  return unreadable('har', ended ? 'the text ends before the entries' : reason, placeOf(scanner.text, offset))
}

/** Skips what is next to the entries (pages, comments of tools); it may be larger than any entry. */
function skipBeside(scanner: JsonScanner): boolean {
  const beside = new JsonScanner(scanner.text, { maxDepth: 512, maxValues: 5_000_000 }, scanner.pos)
  const skipped = beside.skipValue()
  scanner.pos = beside.pos
  scanner.fault = beside.fault
  return skipped
}

function* readEntries(
  scanner: JsonScanner,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const place = { pointer: '/log/entries', maxElements: MAX_ENTRIES, noun: 'entries' }
  const elements = new JsonListReader(scanner, report, place).read()
  let step = elements.next()
  while (!step.done) {
    yield* takeEntry(step.value, report, options)
    step = elements.next()
  }
  if (step.value !== undefined) checkRest(step.value, report)
}

function* takeEntry(
  { index, where, value }: ListElement,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const read = readHarEntry(value, options)
  if (typeof read === 'string') {
    const request = asObject(own(asObject(value), 'request'))
    report.skip(index, where, describeRequest(own(request, 'method'), own(request, 'url')), read)
    return
  }
  const { method, target } = read.exchanges[0]!.request
  const what = describeRequest(method, target)
  report.take(index, where, what, read.notes)
  for (const exchange of read.exchanges) yield { exchange, index, where, what }
}

/** Behind the entries nothing can be lost, but a missing end tells that the file was cut. */
function checkRest(scanner: JsonScanner, report: ImportReportWriter): void {
  for (let depth = 2; depth > 0; depth--) {
    while (scanner.accept(COMMA)) {
      const key = scanner.readString()
      if (key === 'entries') report.warn('/log', 'a second "entries" is not read')
      if (key === undefined || !scanner.accept(COLON) || !skipBeside(scanner)) break
    }
    if (!scanner.accept(CLOSE_OBJECT)) {
      report.warn(placeOf(scanner.text, scanner.pos), 'the file does not end properly behind the entries')
      return
    }
  }
  if (!Number.isNaN(scanner.peek())) {
    report.warn(placeOf(scanner.text, scanner.pos), 'what follows the recording is not read')
  }
}
