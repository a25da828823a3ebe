import { JsonScanner, LineCursor, readSampleMessage } from '../../http/index.ts'
import { decodeInput } from '../decode-input.ts'
import { messageOfTap } from '../envoy-tap.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'
import { ELEMENT_LIMITS, JsonListReader, placeOf } from '../json-list.ts'
import { asObject, own } from '../untrusted-value.ts'

const MAX_MESSAGES = 500_000
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const COMMA = 0x2c
const COLON = 0x3a

/** Sample messages, or traces of Envoy's tap filter: one, a JSON array, `{"batchData": […]}` as collectors send it, or one a line (NDJSON). */
export const sampleMessagesImporter: Importer = {
  name: 'sample-messages',
  label: 'sample messages (JSON, NDJSON or batchData)',
  endings: ['.ndjson', '.jsonl'],
  detect: (sketch) => {
    if (sketch.shape !== 'json') return false
    const { keys } = sketch
    if (keys.has('http_buffered_trace') || keys.has('http_streamed_trace_segment')) return true
    if (keys.has('batchData') || (keys.has('method') && (keys.has('path') || keys.has('url')))) return true
    if (keys.has('request') && keys.has('response')) return true
    return sketch.isArray && /^\s*\[\s*"\s*\{\s*\\"/.test(sketch.head)
  },
  read(input, options = {}) {
    const { text, warnings } = decodeInput(input)
    const report = new ImportReportWriter(options.fileName ?? 'sample messages')
    for (const { where, reason } of warnings) report.warn(where, reason)
    const exchanges = readMessages(text, report, options)
    return { importer: 'sample-messages', exchanges, declared: [], report }
  },
}

function readMessages(
  text: string,
  report: ImportReportWriter,
  options: ImportOptions,
): Iterable<ImportedExchange> {
  const scanner = new JsonScanner(text, ELEMENT_LIMITS)
  const first = scanner.peek()
  if (first === OPEN_ARRAY) {
    scanner.pos++
    return readList(scanner, '', report, options)
  }
  if (first !== OPEN_OBJECT) {
    throw unreadable('sample-messages', 'it is not a JSON object or array', placeOf(text, scanner.pos))
  }
  const batch = batchIn(text)
  if (batch === undefined) return readSequence(scanner, report, options)
  if (!batch.accept(OPEN_ARRAY)) {
    throw unreadable('sample-messages', '"batchData" is not a list', placeOf(text, batch.pos))
  }
  return readList(batch, '/batchData', report, options)
}

/** A scanner behind the key "batchData" of the outermost object; undefined when it has none. */
function batchIn(text: string): JsonScanner | undefined {
  const scanner = new JsonScanner(text, ELEMENT_LIMITS)
  if (!scanner.accept(OPEN_OBJECT)) return undefined
  for (;;) {
    const key = scanner.readString()
    if (key === undefined || !scanner.accept(COLON)) return undefined
    if (key === 'batchData') return scanner
    if (!scanner.skipValue() || !scanner.accept(COMMA)) return undefined
  }
}

function* readList(
  scanner: JsonScanner,
  pointer: string,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const place = { pointer, maxElements: MAX_MESSAGES, noun: 'messages' }
  for (const { index, where, value } of new JsonListReader(scanner, report, place).read()) {
    yield* takeMessage(index, where, value, report, options)
  }
}

/** Values one behind the other, usually one a line; behind a broken one reading continues at the next line with `{`. */
function* readSequence(
  scanner: JsonScanner,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const { text } = scanner
  const lines = new LineCursor(text)
  let wasted = 0
  for (let index = 0; !Number.isNaN(scanner.peek()); index++) {
    const start = scanner.pos
    const where = `line ${lines.at(start).line}`
    if (index >= MAX_MESSAGES) {
      report.stop(where, `only the first ${MAX_MESSAGES} messages are read`)
      return
    }
    const lineEnd = text.indexOf('\n', start)
    const value = scanner.skipValue() ? parsed(text.slice(start, scanner.pos)) : undefined
    if (value !== undefined) yield* takeMessage(index, where, value, report, options)
    else {
      const { offset = start, reason = 'a string or number in it is malformed' } = scanner.fault ?? {}
      report.skip(index, where, '', `${reason} (line ${lines.at(offset).line})`)
      // Each broken value may have been followed far beyond its line; that must not happen for every line.
      wasted += offset - start
      const next =
        lineEnd < 0 || wasted > text.length / 2 + 1_000_000
          ? -1
          : text.indexOf('\n{', Math.max(start, lineEnd - 1))
      if (next < 0) {
        if (lineEnd >= 0 && offset < text.length) report.stop(where, 'no further message is found behind it')
        return
      }
      scanner.pos = next + 1
      scanner.fault = undefined
    }
    scanner.accept(COMMA)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The brackets match but something inside is malformed: the caller reports it with its line.
    return undefined
  }
}

function* takeMessage(
  index: number,
  where: string,
  element: unknown,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  // Stored samples are themselves JSON texts.
  const given = typeof element === 'string' ? parsed(element) : element
  const tap = messageOfTap(given)
  const value = typeof tap === 'object' ? tap.message : given
  const read =
    typeof tap === 'string'
      ? tap
      : readSampleMessage(value, { source: options.source ?? 'OTHER', at: options.at })
  if (typeof read === 'string') {
    const fields = asObject(value)
    const path = own(fields, 'path') ?? own(fields, 'url')
    report.skip(index, where, describeRequest(own(fields, 'method'), path), read)
    return
  }
  const exchange = options.source === undefined ? read : { ...read, source: options.source }
  const what = describeRequest(exchange.request.method, exchange.request.target)
  report.take(index, where, what, typeof tap === 'object' ? tap.notes : [])
  yield { exchange, index, where, what }
}
