import type { JsonFault } from '../../http/index.ts'
import { JsonScanner, LineCursor } from '../../http/index.ts'
import type { Failure } from '../../kit/index.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import { readHarEntry } from './har-entry.ts'

const LIMITS = { maxDepth: 512, maxValues: 400_000 }
/** Most entries of one file; a browser session has thousands. */
const MAX_ENTRIES = 500_000
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

/**
 * HTTP Archive 1.1 and 1.2. Entries are found one by one and parsed alone, so that memory stays that of the largest
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
    const scanner = new JsonScanner(text, LIMITS)
    enterEntries(scanner)
    return {
      importer: 'har',
      exchanges: new EntryReader(scanner, report, options).read(),
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
  if (!scanner.accept(OPEN_ARRAY)) throw notHar(scanner, '"log.entries" is no list')
}

function enterKey(scanner: JsonScanner, wanted: string): void {
  if (scanner.peek() === CLOSE_OBJECT) throw notHar(scanner, `it has no "${wanted}"`)
  for (;;) {
    const key = scanner.readString()
    if (key === undefined) throw notHar(scanner, scanner.fault?.reason ?? '')
    if (!scanner.accept(COLON)) throw notHar(scanner, 'expected ":"')
    if (key === wanted) return
    // What stands beside the entries (pages, comments of tools) may be larger than any entry.
    const beside = new JsonScanner(scanner.text, { maxDepth: 512, maxValues: 100_000_000 }, scanner.pos)
    beside.peek()
    if (!beside.skipValue()) throw notHar(beside, beside.fault?.reason ?? '')
    scanner.pos = beside.pos
    if (!scanner.accept(COMMA)) throw notHar(scanner, `it has no "${wanted}"`)
  }
}

function notHar(scanner: JsonScanner, reason: string): Failure {
  const offset = scanner.fault?.offset ?? scanner.pos
  const ended = scanner.pos >= scanner.text.length
  return unreadable('har', ended ? 'the text ends before the entries' : reason, placeOf(scanner.text, offset))
}

function placeOf(text: string, offset: number): string {
  const { line, column } = new LineCursor(text).at(offset)
  return `line ${line}, column ${column}, byte ${Buffer.byteLength(text.slice(0, offset))}`
}

class EntryReader {
  private readonly scanner: JsonScanner
  private readonly report: ImportReportWriter
  private readonly options: ImportOptions
  private readonly lines: LineCursor
  private index = 0

  constructor(scanner: JsonScanner, report: ImportReportWriter, options: ImportOptions) {
    this.scanner = scanner
    this.report = report
    this.options = options
    this.lines = new LineCursor(scanner.text)
  }

  *read(): Generator<ImportedExchange> {
    const { scanner } = this
    for (;;) {
      const next = scanner.peek()
      if (next === CLOSE_ARRAY) break
      if (Number.isNaN(next)) {
        this.stop(scanner.pos, 'the file ends inside the list of entries')
        return
      }
      if (this.index >= MAX_ENTRIES) {
        this.stop(scanner.pos, `only the first ${MAX_ENTRIES} entries are read`)
        return
      }
      const start = scanner.pos
      const where = `/log/entries/${this.index} (line ${this.lines.at(start).line})`
      if (scanner.skipValue()) yield* this.take(scanner.text.slice(start, scanner.pos), where)
      else if (!this.passBroken(start, where, scanner.fault)) return
      this.index += 1
      if (scanner.accept(COMMA)) continue
      const after = scanner.peek()
      if (after === OPEN_OBJECT) this.report.warn(where, 'no comma behind it')
      else if (after !== CLOSE_ARRAY && !Number.isNaN(after)) {
        this.stop(scanner.pos, 'expected "," or "]" behind the entry')
        return
      }
    }
    scanner.pos += 1
    this.checkRest()
  }

  private *take(text: string, where: string): Generator<ImportedExchange> {
    let entry: unknown
    try {
      entry = JSON.parse(text)
    } catch {
      // The brackets match but a string or number inside is malformed; V8's sentence would quote the content.
      this.report.skip(this.index, where, '', 'a string or number in the entry is malformed')
      return
    }
    const read = readHarEntry(entry, this.options)
    if (typeof read === 'string') {
      const request = (entry as { request?: { method?: unknown; url?: unknown } } | null)?.request
      this.report.skip(this.index, where, describeRequest(request?.method, request?.url), read)
      return
    }
    const what = describeRequest(read.exchanges[0]?.request.method, read.exchanges[0]?.request.target)
    this.report.take(this.index, where, what, read.notes)
    for (const exchange of read.exchanges) yield { exchange, index: this.index, where, what }
  }

  /** Goes on behind a broken entry where its end can be found; false when reading must stop. */
  private passBroken(start: number, where: string, fault: JsonFault | undefined): boolean {
    const { scanner } = this
    if (fault === undefined) return false
    const { line, column } = this.lines.at(fault.offset)
    if (fault.kind !== 'cut' && scanner.text.charCodeAt(start) === OPEN_OBJECT && scanner.skipBroken(start)) {
      this.report.skip(this.index, where, '', `${fault.reason} (line ${line}, column ${column})`)
      return true
    }
    this.report.skip(this.index, where, '', `the entry is not complete: ${fault.reason}`)
    this.stop(fault.offset, `${fault.reason}; entries before it are taken`)
    return false
  }

  private stop(offset: number, reason: string): void {
    this.report.stop(placeOf(this.scanner.text, offset), reason)
  }

  /** Behind the entries: nothing is lost there, but a missing end tells that the file was cut. */
  private checkRest(): void {
    const { scanner } = this
    for (let depth = 2; depth > 0; depth -= 1) {
      while (scanner.accept(COMMA)) {
        const key = scanner.readString()
        if (key === 'entries') this.report.warn('/log', 'a second "entries" is not read')
        if (key === undefined || !scanner.accept(COLON)) break
        scanner.peek()
        if (!scanner.skipValue()) break
      }
      if (!scanner.accept(CLOSE_OBJECT)) {
        this.report.warn(
          placeOf(scanner.text, scanner.pos),
          'the file does not end properly behind the entries',
        )
        return
      }
    }
    if (!Number.isNaN(scanner.peek())) {
      this.report.warn(placeOf(scanner.text, scanner.pos), 'what follows the recording is not read')
    }
  }
}
