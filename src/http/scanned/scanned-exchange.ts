import type { EpochSeconds } from '../../kit/index.ts'
import {
  type DataSource,
  type Exchange,
  headerValue,
  headerValues,
  type RequestMessage,
  type ResponseMessage,
} from '../exchange.ts'
import {
  readInteger,
  readSampleMessage,
  readTags,
  type SampleDefaults,
  shortText,
} from '../sample-message.ts'
import { FIELD, REQUEST_HEADERS, RESPONSE_HEADERS } from './batch-scanner.ts'
import type { HeaderLayout } from './header-layout.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { ScannedBatch } from './scanned-batch.ts'
import { MAX_KEPT_LENGTH, standsAt } from './text-pool.ts'

/** Headers of a layout of which the value met last may be kept. */
const MAX_LATEST_VALUES = 32

/** Takes ASCII between two positions of bytes. */
interface AsciiTarget {
  writeAscii(bytes: Uint8Array, from: number, to: number): number
}

/** What a request and a response have in common: headers and a body, cut out of the batch when they are asked for. */
class ScannedHalf {
  readonly batch: ScannedBatch
  readonly layout: HeaderLayout
  /** Number of the message in its batch. */
  readonly message: number
  /** Where the scanner keeps the places of its headers. */
  readonly firstHeader: number
  /** The body's bytes in the scanner's text. */
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly #epoch: number
  #headers: string[] | null = null
  #body: string | null = null

  constructor(
    batch: ScannedBatch,
    message: number,
    layout: HeaderLayout,
    which: { headers: typeof REQUEST_HEADERS | typeof RESPONSE_HEADERS; body: number },
  ) {
    const { scanner } = batch
    this.batch = batch
    this.message = message
    this.layout = layout
    this.firstHeader = scanner.firstHeader(message, which.headers)
    this.bodyStart = scanner.startOf(message, which.body)
    this.bodyEnd = scanner.endOf(message, which.body)
    this.#epoch = scanner.epoch
  }

  /** Names as observed. */
  get headers(): string[] {
    if (this.#headers !== null) return this.#headers
    const list: string[] = []
    for (let i = 0; i < this.layout.names.length; i++) list.push(this.layout.names[i]!, this.headerAt(i))
    this.#headers = list
    return list
  }

  /** Value of the header at a position. */
  headerAt(position: number): string {
    const { scanner } = this.scanned()
    return scanner.slice(
      scanner.valueStart(this.firstHeader, position),
      scanner.valueEnd(this.firstHeader, position),
    )
  }

  /** Bytes of the name and the value of the header at a position, which are characters as well. */
  headerLengthAt(position: number): number {
    const { scanner } = this.scanned()
    const value =
      scanner.valueEnd(this.firstHeader, position) - scanner.valueStart(this.firstHeader, position)
    return this.layout.names[position]!.length + value
  }

  /** Writes the value of the header at a position, which is ASCII; returns what the target says. */
  writeHeader(to: AsciiTarget, position: number): number {
    const { scanner } = this.scanned()
    return to.writeAscii(
      scanner.bytes,
      scanner.valueStart(this.firstHeader, position),
      scanner.valueEnd(this.firstHeader, position),
    )
  }

  /** {@link headerAt} for a value that is likely to come again. */
  frequentHeaderAt(position: number): string {
    const { scanner, pool } = this.scanned()
    const start = scanner.valueStart(this.firstHeader, position)
    const end = scanner.valueEnd(this.firstHeader, position)
    const { latestValues } = this.layout
    const latest = latestValues[position]
    if (latest !== undefined && standsAt(latest, scanner.bytes, start, end)) return latest
    const text = pool.of(scanner.bytes, start, end)
    if (text === null) return scanner.slice(start, end)
    // There are thousands of layouts, and a sender may fill each with what it likes.
    if (text.length <= MAX_KEPT_LENGTH && position < MAX_LATEST_VALUES) latestValues[position] = text
    return text
  }

  /** First value of a header by its name in lower case; undefined when it is not there. */
  headerNamed(name: string): string | undefined {
    const position = this.layout.indexOf(name)
    return position < 0 ? undefined : this.frequentHeaderAt(position)
  }

  /** All values of a header by its name in lower case, in order. */
  headersNamed(name: string): string[] {
    const first = this.layout.indexOf(name)
    if (first < 0) return []
    const values: string[] = []
    for (let i = first; i < this.layout.lower.length; i++)
      if (this.layout.lower[i] === name) values.push(this.frequentHeaderAt(i))
    return values
  }

  /** First value of a header by its name in lower case; '' when it is not there. */
  header(name: string): string {
    return this.headerNamed(name) ?? ''
  }

  get hasBody(): boolean {
    return this.bodyStart !== this.bodyEnd
  }

  /** Bytes of the body; as many characters where it is ASCII. */
  get bodyLength(): number {
    return this.bodyEnd - this.bodyStart
  }

  /** Writes the body where it is ASCII; returns what the target says, -1 where it is not. */
  writeBody(to: AsciiTarget): number {
    const { scanner } = this.scanned()
    if (!scanner.isAscii(this.bodyStart, this.bodyEnd)) return -1
    return to.writeAscii(scanner.bytes, this.bodyStart, this.bodyEnd)
  }

  get body(): string {
    if (this.bodyStart === this.bodyEnd) return ''
    this.#body ??= this.scanned().scanner.slice(this.bodyStart, this.bodyEnd)
    return this.#body
  }

  /** The batch, as long as it holds this message. */
  scanned(): ScannedBatch {
    if (this.batch.scanner.epoch !== this.#epoch)
      throw new Error('a message was read after the batch it stood in was given back')
    return this.batch
  }
}

/** A request of a live batch; its target is a path, with or without a query. */
export class ScannedRequest extends ScannedHalf implements RequestMessage {
  readonly method: string
  readonly path: string
  /** Without its question mark; null when there is none. */
  readonly query: string | null

  constructor(
    batch: ScannedBatch,
    message: number,
    line: { method: string; path: string; query: string | null },
    layout: HeaderLayout,
  ) {
    super(batch, message, layout, { headers: REQUEST_HEADERS, body: FIELD.requestPayload })
    this.method = line.method
    this.path = line.path
    this.query = line.query
  }

  /** Its body holds a word that the keys of GraphQL or JSON-RPC hold. */
  get holdsSign(): boolean {
    return this.scanned().scanner.holdsSign(this.message)
  }

  get target(): string {
    return this.query === null ? this.path : `${this.path}?${this.query}`
  }

  get version(): string {
    return shortText(this.scanned().textOf(this.message, FIELD.type)) || 'HTTP/1.1'
  }
}

/** A response of a live batch. */
export class ScannedResponse extends ScannedHalf implements ResponseMessage {
  readonly status: number

  constructor(batch: ScannedBatch, message: number, status: number, layout: HeaderLayout) {
    super(batch, message, layout, { headers: RESPONSE_HEADERS, body: FIELD.responsePayload })
    this.status = status
  }

  get reason(): string {
    return shortText(this.scanned().textOf(this.message, FIELD.status))
  }
}

/**
 * A message of a live batch that was read in place. Its texts are cut out when they are asked for, and only as long as the
 * batch is there: anyone who keeps it keeps {@link toExchange} of it.
 */
export class ScannedExchange {
  readonly request: ScannedRequest
  readonly response: ScannedResponse
  readonly at: EpochSeconds
  readonly clientIp: string
  readonly source: DataSource
  readonly direction: 1 | 2
  readonly durationMs: number | undefined

  constructor(
    request: ScannedRequest,
    response: ScannedResponse,
    seen: {
      at: EpochSeconds
      clientIp: string
      source: DataSource
      direction: 1 | 2
      durationMs: number | undefined
    },
  ) {
    this.request = request
    this.response = response
    this.at = seen.at
    this.clientIp = seen.clientIp
    this.source = seen.source
    this.direction = seen.direction
    this.durationMs = seen.durationMs
  }

  get serverIp(): string {
    return shortText(this.#text(FIELD.destIp))
  }

  get vxlanId(): number {
    return readInteger(this.#text(FIELD.akto_vxlan_id))
  }

  get tags(): Record<string, string> | undefined {
    return readTags(this.#text(FIELD.tag))
  }

  get messageId(): undefined {
    return undefined
  }

  get route(): undefined {
    return undefined
  }

  /** A copy with its own texts, which lasts. */
  toExchange(): Exchange {
    const { request, response } = this
    return {
      request: {
        method: request.method,
        target: request.target,
        version: request.version,
        headers: request.headers,
        body: request.body,
      },
      response: {
        status: response.status,
        reason: response.reason,
        headers: response.headers,
        body: response.body,
      },
      at: this.at,
      clientIp: this.clientIp,
      serverIp: this.serverIp,
      source: this.source,
      direction: this.direction,
      vxlanId: this.vxlanId,
      tags: this.tags,
      durationMs: this.durationMs,
    }
  }

  #text(field: number): string | undefined {
    return this.request.scanned().textOf(this.request.message, field)
  }
}

/** A message as a live batch or an import brings it: read in place, or built. */
export type LiveExchange = Exchange | ScannedExchange

/** First value of a request header by its name in lower case, without cutting out the others; undefined when there is none. */
export function requestHeaderOf({ request }: LiveExchange, name: string): string | undefined {
  return request instanceof ScannedRequest ? request.headerNamed(name) : headerValue(request.headers, name)
}

/** The target of a request without its query. */
export function requestPathOf({ request }: LiveExchange): string {
  if (request instanceof ScannedRequest) return request.path
  const end = request.target.search(/[?#]/)
  return end < 0 ? request.target : request.target.slice(0, end)
}

/** All values of a request header by its name in lower case, in order. */
export function requestHeadersOf({ request }: LiveExchange, name: string): string[] {
  return request instanceof ScannedRequest ? request.headersNamed(name) : headerValues(request.headers, name)
}

/** {@link requestHeaderOf} for the response. */
export function responseHeaderOf({ response }: LiveExchange, name: string): string | undefined {
  return response instanceof ScannedResponse
    ? response.headerNamed(name)
    : headerValue(response.headers, name)
}

/**
 * A message that may be asked for until the next transaction begins (`LiveReader.begin`). Of one that is read in place the
 * bytes are kept, and read when somebody asks, which is rare; the exchange itself is let go.
 */
export class KeptExchange {
  readonly #defaults: SampleDefaults = {}
  readonly #kept: KeptBytes | null = null
  readonly #epoch: number = 0
  readonly #start: number = 0
  readonly #end: number = 0
  #exchange: Exchange | null = null

  constructor(exchange: LiveExchange) {
    if (!(exchange instanceof ScannedExchange)) {
      this.#exchange = exchange
      return
    }
    const { request, at, source } = exchange
    this.#defaults = { at, source }
    const { kept, scanner } = request.scanned()
    const bytes = scanner.rawBytes(request.message)
    const start = kept.add(bytes)
    if (start < 0) {
      this.#exchange = exchange.toExchange()
      return
    }
    this.#kept = kept
    this.#epoch = kept.epoch
    this.#start = start
    this.#end = start + bytes.length
  }

  read(): Exchange {
    this.#exchange ??= this.#readKept(this.#kept!)
    return this.#exchange
  }

  #readKept(kept: KeptBytes): Exchange {
    if (kept.epoch !== this.#epoch)
      throw new Error('a message was read after the transaction it was kept for')
    const read = readSampleMessage(JSON.parse(kept.text(this.#start, this.#end)), this.#defaults)
    if (typeof read === 'string') throw new Error(`two readers disagree about a message: ${read}`)
    return read
  }
}

/** An exchange that lasts: itself, or a copy with its own texts when it is part of a batch. */
export function plainExchange(exchange: LiveExchange): Exchange {
  return exchange.toExchange === undefined ? exchange : exchange.toExchange()
}
