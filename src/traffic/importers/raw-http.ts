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
  /^(?:[A-Za-z]{3,12} [^\s]{1,8000} HTTP\/\d(?:\.\d)?|HTTP\/\d(?:\.\d)? \d{3}(?: [^\r\n]{0,200})?|(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?:https?:\/\/|\/|\{\{)[^\s]{0,8000})[ \t]*\r?$/gm
/** Version of a start line; request files of editors leave it out. */
const VERSION = /HTTP\/\d/
/** What may stand between a separator and a request of such a file: nothing, remarks, variables. */
const REMARK_LINE = /^[ \t]*(?:#|\/\/|@|\r?$)/
const MAX_REMARKS = 50
/** A variable of such a file: `@host = https://shop.test`. */
const VARIABLE_LINE = /^@([\w-]{1,100})[ \t]*=[ \t]*([^\r\n]{0,2000})\r?$/gm
const MAX_VARIABLES = 200
const MAX_VALUE = 2000
const MAX_GROWTH = 1_000_000
const SEPARATOR_LINE = /^[ \t]*(?:={3,}|-{3,}|#{3,}|\*{3,})/

/**
 * Raw HTTP messages: one request, or requests and responses one behind the other, with lines of `===`, `---` or `###`
 * between them if wanted. A request without response has status 0. Request files of editors serve as well: requests
 * without a version, each behind a line of `###`, with variables (`@name = value`, `{{name}}`).
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
  const variables = variablesOf(text)
  const nextStart = (start: number | null): RegExpExecArray | null => {
    let found = starts.exec(text)
    while (found !== null && !startsMessage(text, found, start)) found = starts.exec(text)
    return found
  }
  let match = nextStart(null)
  while (match !== null) {
    const start = match.index
    const next = nextStart(start)
    const piece = text.slice(start, next?.index ?? text.length)
    const isShort = !VERSION.test(match[0])
    const line = lines.at(start).line
    const isResponse = match[0].startsWith('HTTP/')
    yield { text: isShort ? written(piece, match[0], variables) : piece, line, isResponse }
    match = next
  }
}

/** Behind another message a start line counts only after an empty line or a separator: elsewhere it is content. */
function startsMessage(text: string, { index, 0: line }: RegExpExecArray, previous: number | null): boolean {
  if (!VERSION.test(line)) return followsSeparator(text, index)
  if (previous === null) return true
  return /\n[ \t]*\r?\n$|[=#*-]{3}[^\n]{0,200}\r?\n$/.test(text.slice(Math.max(previous, index - 210), index))
}

/** Without a version a line is a request only at the start of the text or behind a separator and its remarks. */
function followsSeparator(text: string, index: number): boolean {
  let end = index - 1
  for (let i = 0; i < MAX_REMARKS && end > 0; i++) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, Math.min(end, start + 300))
    if (SEPARATOR_LINE.test(line)) return true
    if (!REMARK_LINE.test(line)) return false
    end = start - 1
  }
  return end <= 0
}

function variablesOf(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const [, name, value] of text.matchAll(VARIABLE_LINE)) {
    if (variables.size < MAX_VARIABLES)
      variables.set(name!, filled(value!.trim(), variables).slice(0, MAX_VALUE))
  }
  return variables
}

/** A request of an editor's file as it would be sent. */
function written(piece: string, startLine: string, variables: ReadonlyMap<string, string>): string {
  return filled(`${startLine.trimEnd()} HTTP/1.1${piece.slice(startLine.length)}`, variables)
}

/** A text with its variables in place, as far as it does not grow beyond measure. */
function filled(text: string, variables: ReadonlyMap<string, string>): string {
  let growth = 0
  return text.replace(/\{\{([\w-]{1,100})\}\}/g, (left, name: string) => {
    const value = variables.get(name)
    if (value === undefined || growth > MAX_GROWTH) return left
    growth += value.length
    return value
  })
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
    index++
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
