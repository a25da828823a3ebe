import type { EpochSeconds } from '../../kit/index.ts'
import type { DataSource } from '../exchange.ts'
import { readMethod } from '../method.ts'
import { SOURCES } from '../sample-message.ts'
import { MAX_TARGET } from '../target.ts'
import { BatchScanner, FIELD, REQUEST_HEADERS, RESPONSE_HEADERS } from './batch-scanner.ts'
import { type HeaderLayout, layoutOf, NO_REQUEST_HEADERS, NO_RESPONSE_HEADERS } from './header-layout.ts'
import { KeptBytes } from './kept-bytes.ts'
import { ScannedExchange, ScannedRequest, ScannedResponse } from './scanned-exchange.ts'
import { standsAt, TextPool } from './text-pool.ts'

/** Body of a message that is read in place, in bytes. */
const MAX_BODY_BYTES = 262_144
const MAX_SHORT = 1024
const MAX_SECOND = 0x7fffffff
const FIELDS = Object.keys(FIELD).length
const STATUS_DIGITS = 3
const TIME_DIGITS = 10
/** Of milliseconds of less than a day. */
const DURATION_DIGITS = 7

const HASH = 35
const SLASH = 47
const ZERO = 48
const NINE = 57
const QUESTION_MARK = 63

/** Stands for a duration that the message does not tell. */
const NO_DURATION = -2

interface LatestLayout {
  message: number
  layout: HeaderLayout | null
}

/**
 * A live batch read in place, message by message: of the usual form (see {@link BatchScanner}) with a path as target,
 * plain headers and text bodies. One instance serves one batch after the other.
 */
export class ScannedBatch {
  readonly scanner = new BatchScanner()
  readonly pool = new TextPool()
  /** Messages of this batch and others that may be asked for later. */
  readonly kept = new KeptBytes()
  /** Short texts of the latest message by field. */
  readonly #latest = new Array<string>(FIELDS).fill('')

  /** The message whose headers were read last, and their layout; they are often those of the next one too. */
  readonly #latestRequest: LatestLayout = { message: -1, layout: null }
  readonly #latestResponse: LatestLayout = { message: -1, layout: null }

  /** Takes a batch; false when it must be read the general way. What was read of the one before is gone. */
  read(bytes: Uint8Array): boolean {
    this.#latestRequest.message = -1
    this.#latestResponse.message = -1
    return this.scanner.read(bytes)
  }

  /**
   * A message as an exchange, asked for once; as text why it is none; null when it must be read the general way, from
   * {@link BatchScanner.parsed}. Source and time are for messages that name none.
   */
  exchange(message: number, source: DataSource, now: EpochSeconds): ScannedExchange | string | null {
    const { scanner } = this
    if (!scanner.isReadable(message)) return null
    if (this.#short(message, FIELD.is_pending) === 'true') return 'the response is not complete'
    const at = this.#digits(message, FIELD.time, TIME_DIGITS, now)
    const clientIp = this.#short(message, FIELD.ip)
    const duration = this.#digits(message, FIELD.durationMs, DURATION_DIGITS, NO_DURATION)
    if (at <= 0 || at > MAX_SECOND || clientIp === null || duration === -1) return null
    const request = this.#request(message)
    const response = request === null ? null : this.#response(message)
    if (request === null || response === null) return null
    return new ScannedExchange(request, response, {
      at,
      clientIp: clientIp === 'null' ? '' : clientIp,
      source: SOURCES.get(this.#short(message, FIELD.source)) ?? source,
      direction: this.#digits(message, FIELD.direction, 1, 1) === 2 ? 2 : 1,
      durationMs: duration === NO_DURATION ? undefined : duration,
    })
  }

  /** The text of a field; undefined when the message has none. */
  textOf(message: number, field: number): string | undefined {
    const start = this.scanner.startOf(message, field)
    return start === 0 ? undefined : this.scanner.slice(start, this.scanner.endOf(message, field))
  }

  #request(message: number): ScannedRequest | null {
    const { scanner, pool } = this
    const method = readMethod(this.#short(message, FIELD.method) ?? '')
    if (method === undefined || this.#hasLongBody(message, FIELD.requestPayload)) return null
    const start = scanner.startOf(message, FIELD.path)
    const end = scanner.endOf(message, FIELD.path)
    const text = scanner.bytes
    if (text[start] !== SLASH || start === end || end - start > MAX_TARGET) return null
    let question = start
    while (question < end && text[question] !== QUESTION_MARK && text[question] !== HASH) question++
    const path = pool.of(text, start, question)
    const query = question === end ? '' : pool.of(text, question + 1, end)
    if (path === null || query === null || text[question] === HASH || query.includes('#')) return null
    const layout = this.#layout(message, REQUEST_HEADERS)
    if (layout === null) return null
    const line = { method, path, query: question === end ? null : query }
    return new ScannedRequest(this, message, line, layout)
  }

  #response(message: number): ScannedResponse | null {
    const status = this.#digits(message, FIELD.statusCode, STATUS_DIGITS, 0)
    if (status < 0 || this.#hasLongBody(message, FIELD.responsePayload)) return null
    const layout = this.#layout(message, RESPONSE_HEADERS)
    return layout === null ? null : new ScannedResponse(this, message, status, layout)
  }

  #layout(message: number, which: typeof REQUEST_HEADERS | typeof RESPONSE_HEADERS): HeaderLayout | null {
    const { scanner } = this
    const count = scanner.headerCount(message, which)
    if (count < 0) return null
    const isRequest = which === REQUEST_HEADERS
    const latest = isRequest ? this.#latestRequest : this.#latestResponse
    const isLatest = latest.message === message - 1 && scanner.hasSameNames(message, which)
    if (!isLatest || latest.layout === null) {
      const root = isRequest ? NO_REQUEST_HEADERS : NO_RESPONSE_HEADERS
      latest.layout = layoutOf(root, scanner, scanner.firstHeader(message, which), count)
    }
    latest.message = message
    return latest.layout
  }

  #hasLongBody(message: number, field: number): boolean {
    return this.scanner.endOf(message, field) - this.scanner.startOf(message, field) > MAX_BODY_BYTES
  }

  /** A short printable text; '' when there is none, null when it must be read the general way. */
  #short(message: number, field: number): string | null {
    const start = this.scanner.startOf(message, field)
    const end = this.scanner.endOf(message, field)
    if (end - start > MAX_SHORT) return null
    const { bytes } = this.scanner
    // Most of these say the same in one message after the other.
    const latest = this.#latest[field]!
    if (standsAt(latest, bytes, start, end)) return latest
    const text = this.pool.of(bytes, start, end)
    if (text !== null) this.#latest[field] = text
    return text
  }

  /** A number from its digits; -1 when it is none or has too many. */
  #digits(message: number, field: number, most: number, absent: number): number {
    const text = this.scanner.bytes
    const start = this.scanner.startOf(message, field)
    const end = this.scanner.endOf(message, field)
    if (start === end) return absent
    if (end - start > most) return -1
    let value = 0
    for (let at = start; at < end; at++) {
      const code = text[at]!
      if (code < ZERO || code > NINE) return -1
      value = value * 10 + code - ZERO
    }
    return value
  }
}
