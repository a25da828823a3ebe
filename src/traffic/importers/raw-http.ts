import type { Exchange, RawMessage, RequestMessage, ResponseMessage } from '../../http/index.ts'
import { LineCursor, parseRawRequest, parseRawResponse } from '../../http/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { DecodeBudget } from '../decode-budget.ts'
import { decodeInput } from '../decode-input.ts'
import { unreadable } from '../failures.ts'
import { describeRequest, ImportReportWriter } from '../import-report.ts'
import type { ImportedExchange, Importer, ImportOptions } from '../importer.ts'

const MAX_MESSAGES = 200_000
const START_LINE =
  /^(?:[A-Za-z]{3,12} [^\s]{1,8000} HTTP\/\d(?:\.\d)?|HTTP\/\d(?:\.\d)? \d{3}(?: [^\r\n]{0,200})?)[ \t]*\r?$/gm
const SEPARATOR_LINE = /^[ \t]*(?:={3,}|-{3,}|#{3,}|\*{3,})/

/**
 * Raw HTTP messages: one request, or requests and responses one behind the other, with lines of `===`, `---` or `###`
 * between them if wanted. A request without response has status 0.
 */
export const rawHttpImporter: Importer = {
  name: 'raw-http',
  label: 'raw HTTP messages',
  endings: ['.http', '.raw', '.req'],
  detect: ({ shape, head }) => {
    if (shape !== 'text') return false
    const first = /\S/.exec(head)?.index ?? 0
    START_LINE.lastIndex = 0
    return START_LINE.exec(head)?.index === first
  },
  read(input, options = {}) {
    const decoded = decodeInput(input)
    // One character per byte keeps binary bodies intact while the text is searched for start lines.
    const bytes = decoded.encoding === 'utf-8' ? bytesOf(input) : Buffer.from(decoded.text, 'utf8')
    const text = bytes.toString('latin1')
    START_LINE.lastIndex = 0
    if (START_LINE.exec(text) === null)
      throw unreadable('raw-http', 'it holds no request line or status line')
    const report = new ImportReportWriter(options.fileName ?? 'raw HTTP')
    return { importer: 'raw-http', exchanges: readMessages(text, report, options), declared: [], report }
  },
}

function bytesOf(input: Uint8Array | string): Buffer {
  const bytes =
    typeof input === 'string'
      ? Buffer.from(input, 'utf8')
      : Buffer.from(input.buffer, input.byteOffset, input.length)
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

interface Piece {
  readonly text: string
  readonly line: number
  readonly isResponse: boolean
}

function* piecesOf(text: string): Generator<Piece> {
  const lines = new LineCursor(text)
  const starts = new RegExp(START_LINE)
  let match = starts.exec(text)
  while (match !== null) {
    const start = match.index
    let next = starts.exec(text)
    // A start line counts only behind an empty line or a separator: elsewhere it is content.
    while (
      next !== null &&
      !/\n[ \t]*\r?\n$|[=#*-]{3}[^\n]{0,200}\r?\n$/.test(
        text.slice(Math.max(start, next.index - 210), next.index),
      )
    ) {
      next = starts.exec(text)
    }
    const piece = text.slice(start, next?.index ?? text.length)
    yield { text: piece, line: lines.at(start).line, isResponse: /^HTTP\//.test(match[0]) }
    match = next
  }
}

/** A message without the separator line that follows it, and the blanks around that line. */
function withoutSeparator(text: string): string {
  const end = text.trimEnd().length
  const lineStart = text.lastIndexOf('\n', end - 1) + 1
  if (end - lineStart > 300 || !SEPARATOR_LINE.test(text.slice(lineStart, end))) return text
  return text.slice(0, lineStart)
}

function* readMessages(
  text: string,
  report: ImportReportWriter,
  options: ImportOptions,
): Generator<ImportedExchange> {
  const budget = new DecodeBudget()
  let waiting: { request: RawMessage<RequestMessage>; line: number } | undefined
  let index = 0
  const finish = function* (response?: RawMessage<ResponseMessage>): Generator<ImportedExchange> {
    if (waiting === undefined) return
    const { request, line } = waiting
    waiting = undefined
    const notes = [...request.notes, ...(response?.notes ?? ['no response follows it'])]
    const what = describeRequest(request.message.method, request.message.target)
    const where = `line ${line}`
    report.take(index, where, what, notes)
    yield { exchange: exchangeOf(request.message, response?.message, options), index, where, what }
    index += 1
  }
  for (const piece of piecesOf(text)) {
    if (index >= MAX_MESSAGES) {
      report.stop(`line ${piece.line}`, `only the first ${MAX_MESSAGES} messages are read`)
      return
    }
    const trimmed = Buffer.from(withoutSeparator(piece.text), 'latin1')
    try {
      if (piece.isResponse) {
        const response = budget.spend((maxBodyBytes) => parseRawResponse(trimmed, { maxBodyBytes }))
        if (waiting === undefined)
          report.skip(index++, `line ${piece.line}`, '', 'a response without its request')
        yield* finish(response)
      } else {
        yield* finish()
        waiting = {
          request: budget.spend((maxBodyBytes) => parseRawRequest(trimmed, { maxBodyBytes })),
          line: piece.line,
        }
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      report.skip(index++, `line ${piece.line}`, '', String(error.details['reason']))
    }
  }
  yield* finish()
}

function exchangeOf(
  request: RequestMessage,
  response: ResponseMessage | undefined,
  options: ImportOptions,
): Exchange {
  return {
    request,
    response: response ?? { status: 0, reason: '', headers: [], body: '' },
    at: options.at ?? nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: options.source ?? 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}
