import { isUtf8 } from 'node:buffer'
import { Failure } from '../kit/index.ts'
import type { BodyText } from './body-text.ts'
import { bodyFromBytes } from './body-text.ts'
import { decodeContent } from './content-coding.ts'
import type { HeaderList, RequestMessage, ResponseMessage } from './exchange.ts'
import { headerValue } from './exchange.ts'
import { cleanHeaderPart, MAX_HEADERS } from './header-text.ts'
import { readMethod } from './method.ts'
import { cleanShortText, targetProblem } from './target.ts'

/** Longest start line and headers together, in bytes. */
const MAX_HEAD = 1_048_576
/** Default limit on one decoded body, in bytes. */
const MAX_DECODED_BODY = 5_242_880

/** A parsed message and what had to be guessed or repaired on the way. */
export interface RawMessage<M> {
  readonly message: M
  readonly notes: readonly string[]
}

interface RawHttpOptions {
  /** Limit on the decoded body in bytes; {@link MAX_DECODED_BODY} by default. */
  readonly maxBodyBytes?: number
}

interface Head {
  readonly startLine: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

const VERSION = /^HTTP\/\d(?:\.\d)?$/i
const STATUS_LINE = /^(HTTP\/\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t]+(.*))?$/i
const FIELD_NAME = /^:?[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Parses one raw HTTP request (RFC 9112; line ends CRLF or LF). Repeated headers are kept, the body is freed of
 * transfer and content coding while the headers stay as observed.
 * @throws Failure RAW_HTTP_INVALID when the start line or the headers are none.
 */
export function parseRawRequest(
  input: Uint8Array | string,
  options: RawHttpOptions = {},
): RawMessage<RequestMessage> {
  const notes: string[] = []
  const head = readHead(input, notes)
  const parts = head.startLine.split(/[ \t]+/)
  const last = parts.at(-1) ?? ''
  const hasVersion = parts.length > 2 && VERSION.test(last)
  const method = readMethod(parts[0] ?? '')
  const target = parts.slice(1, hasVersion ? -1 : undefined).join('%20')
  if (method === undefined || target === '' || (!hasVersion && parts.length !== 2)) {
    throw new Failure('RAW_HTTP_INVALID', { reason: 'the first line is not a request line' })
  }
  const problem = targetProblem(target)
  if (problem !== undefined) throw new Failure('RAW_HTTP_INVALID', { reason: `the target ${problem}` })
  const version = hasVersion ? last.toUpperCase() : 'HTTP/1.1'
  const body = readBody(head, notes, options)
  return { message: { method, target, version, headers: head.headers, ...body }, notes }
}

/**
 * Parses one raw HTTP response; rules as for {@link parseRawRequest}.
 * @throws Failure RAW_HTTP_INVALID when the start line or the headers are none.
 */
export function parseRawResponse(
  input: Uint8Array | string,
  options: RawHttpOptions = {},
): RawMessage<ResponseMessage> {
  const notes: string[] = []
  const head = readHead(input, notes)
  const line = STATUS_LINE.exec(head.startLine)
  if (line === null) throw new Failure('RAW_HTTP_INVALID', { reason: 'the first line is not a status line' })
  const body = readBody(head, notes, options)
  const reason = cleanShortText((line[3] ?? '').trim())
  return { message: { status: Number(line[2]), reason, headers: head.headers, ...body }, notes }
}

function readHead(input: Uint8Array | string, notes: string[]): Head {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input
  const start = skipBlankLines(bytes)
  const { headEnd, bodyStart } = findBlankLine(bytes, start)
  if (headEnd - start > MAX_HEAD) {
    throw new Failure('RAW_HTTP_INVALID', { reason: `the headers are over ${MAX_HEAD} bytes` })
  }
  const headBytes = Buffer.from(bytes.buffer, bytes.byteOffset + start, headEnd - start)
  const lines = headBytes.toString(isUtf8(headBytes) ? 'utf8' : 'latin1').split('\n')
  const startLine = cleanHeaderPart((lines[0] ?? '').trim())
  return { startLine, headers: readFields(lines, notes), body: bytes.subarray(bodyStart) }
}

function skipBlankLines(bytes: Uint8Array): number {
  let at = 0
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at++
  return at
}

function findBlankLine(bytes: Uint8Array, start: number): { headEnd: number; bodyStart: number } {
  let at = bytes.indexOf(0x0a, start)
  while (at >= 0) {
    if (bytes[at + 1] === 0x0a) return { headEnd: at, bodyStart: at + 2 }
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { headEnd: at, bodyStart: at + 3 }
    at = bytes.indexOf(0x0a, at + 1)
  }
  return { headEnd: bytes.length, bodyStart: bytes.length }
}

function readFields(lines: readonly string[], notes: string[]): string[] {
  const fields: string[] = []
  let bad = 0
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    if (line.trim() === '') continue
    if ((line[0] === ' ' || line[0] === '\t') && fields.length > 0) {
      // Obsolete line folding (RFC 9112 section 5.2) reads as one space.
      fields[fields.length - 1] = `${fields.at(-1)} ${cleanHeaderPart(line.trim())}`.trim()
      continue
    }
    const colon = line.indexOf(':', 1)
    const name = line.slice(0, Math.max(0, colon)).trim()
    if (!FIELD_NAME.test(name)) {
      bad++
      continue
    }
    if (fields.length >= 2 * MAX_HEADERS) {
      throw new Failure('RAW_HTTP_INVALID', { reason: `more than ${MAX_HEADERS} headers` })
    }
    fields.push(name, cleanHeaderPart(line.slice(colon + 1).trim()))
  }
  if (bad > 0)
    notes.push(`${bad} header ${bad === 1 ? 'line is' : 'lines are'} not "Name: value" and left out`)
  return fields
}

function readBody(head: Head, notes: string[], options: RawHttpOptions): BodyText {
  let bytes = head.body
  if (bytes.length === 0) return { body: '' }
  const limit = options.maxBodyBytes ?? MAX_DECODED_BODY
  const length = headerValue(head.headers, 'content-length')
  if (/(^|[, \t])chunked[ \t]*$/i.test(headerValue(head.headers, 'transfer-encoding') ?? '')) {
    bytes = joinChunks(bytes, notes)
  } else if (length !== undefined && /^\d{1,15}$/.test(length)) {
    bytes = applyLength(bytes, Number(length), notes)
  }
  const decoded = decodeContent(bytes, headerValue(head.headers, 'content-encoding') ?? '', limit)
  if (decoded.problem !== undefined) notes.push(decoded.problem)
  if (decoded.bytes.length > limit) {
    notes.push(`a body of ${decoded.bytes.length} bytes is left out, the limit is ${limit}`)
    return { body: '' }
  }
  return bodyFromBytes(decoded.bytes, headerValue(head.headers, 'content-type'))
}

/** Line ends that an editor added after the body go; anything else beyond Content-Length stays and is reported. */
function applyLength(bytes: Uint8Array, length: number, notes: string[]): Uint8Array {
  if (bytes.length < length) {
    notes.push(`the body ends ${length - bytes.length} bytes before its Content-Length`)
    return bytes
  }
  const excess = bytes.subarray(length)
  if (excess.length <= 4 && excess.every((byte) => byte === 0x0d || byte === 0x0a))
    return bytes.subarray(0, length)
  notes.push(`the body is ${excess.length} bytes longer than its Content-Length`)
  return bytes
}

/** Joins chunks (RFC 9112 section 7.1). Recorders often store the body joined already: then it stays as it is. */
function joinChunks(bytes: Uint8Array, notes: string[]): Uint8Array {
  const chunks: Uint8Array[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf(0x0a, at)
    const line =
      lineEnd < 0 || lineEnd - at > 1024 ? '' : Buffer.from(bytes.subarray(at, lineEnd)).toString('latin1')
    const size = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?\r?$/.exec(line)?.[1]
    if (size === undefined) {
      if (chunks.length === 0) return bytes
      notes.push('the chunked body is broken; read up to the break')
      break
    }
    const length = Number.parseInt(size, 16)
    if (length === 0) break
    const start = lineEnd + 1
    chunks.push(bytes.subarray(start, start + length))
    at = start + length
    if (at > bytes.length) {
      notes.push(`the chunked body ends ${at - bytes.length} bytes early`)
      break
    }
    if (bytes[at] === 0x0d) at++
    if (bytes[at] === 0x0a) at++
  }
  return Buffer.concat(chunks)
}
