import { Failure } from '../../kit/index.ts'
import { type HeaderList, headerValue, headerValues } from '../exchange.ts'
import { parseRawResponse } from '../raw-http.ts'
import type { PendingAnswer } from './pending-answer.ts'

const MAX_CHUNK_LINE = 4096
const LF = 0x0a
const CR = 0x0d

type Part = 'head' | 'counted' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'done'

/**
 * Reads an answer from the bytes of a connection, as they come (RFC 9112 section 6). Forgiving where browsers are:
 * bare line feeds, lines that are not headers, both lengths at once; strict about where the answer ends.
 */
export class WireAnswer {
  readonly #answer: PendingAnswer
  readonly #method: string
  readonly #headBytes: number
  #part: Part = 'head'
  #held: Buffer = Buffer.alloc(0)
  /** Where the search for the end of the head continues, so that a slow head is not searched again and again. */
  #searched = 0
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0
  #trailerBytes = 0

  /** @param method of the request: answers to HEAD and CONNECT have no body */
  constructor(answer: PendingAnswer, method: string, headBytes: number) {
    this.#answer = answer
    this.#method = method
    this.#headBytes = headBytes
  }

  /** Takes the next bytes; what is wrong fails the answer. */
  take(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    try {
      while (this.#part !== 'done' && !this.#answer.isSettled && this.#step());
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.#answer.fail(error)
    }
  }

  /** The other side has closed. */
  close(): void {
    if (this.#part === 'until close') this.#answer.end()
    else if (this.#part !== 'done') {
      const isSilent = this.#part === 'head' && this.#held.length === 0
      this.#answer.fail(
        isSilent
          ? Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })
          : broken('it ends too early'),
      )
    }
  }

  /** Does one step; false when more bytes are needed. */
  #step(): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead()
      case 'counted':
      case 'chunk':
        return this.#readCounted()
      case 'until close':
        this.#answer.data(this.#cut(this.#held.length))
        return false
      case 'chunk size':
        return this.#readChunkSize()
      case 'chunk end':
        return this.#readChunkEnd()
      case 'trailers':
        return this.#readTrailer()
      case 'done':
        return false
    }
  }

  #readHead(): boolean {
    while (this.#held[0] === CR || this.#held[0] === LF) this.#cut(1)
    const end = this.#endOfHead()
    if ((end < 0 ? this.#held.length : end) > this.#headBytes)
      throw broken(`its headers are over ${this.#headBytes} bytes`)
    if (end < 0) {
      if (this.#held.length >= 5 && !/^HTTP\//i.test(this.#held.toString('latin1', 0, 5)))
        throw broken('it is not HTTP')
      return false
    }
    this.#searched = 0
    const { message } = parseHead(this.#cut(end))
    const { status, reason, headers } = message
    if (status < 200 && status !== 101) return true
    this.#answer.head(status, reason, headers)
    this.#part = this.#frame(status, headers)
    if (this.#part === 'done') this.#answer.end()
    return true
  }

  /** Length of the head with its empty line; -1 when it is not there yet. */
  #endOfHead(): number {
    let at = this.#held.indexOf(LF, this.#searched)
    while (at >= 0) {
      if (this.#held[at + 1] === LF) return at + 2
      if (this.#held[at + 1] === CR && this.#held[at + 2] === LF) return at + 3
      // The rest of an empty line may come later: this line feed is looked at again then.
      this.#searched = at
      at = this.#held.indexOf(LF, at + 1)
    }
    return -1
  }

  #frame(status: number, headers: HeaderList): Part {
    const isTunnel = this.#method === 'CONNECT' && status < 300
    if (this.#method === 'HEAD' || isTunnel || status === 101 || status === 204 || status === 304)
      return 'done'
    if (/(?:^|[, \t])chunked[ \t]*$/i.test(headerValue(headers, 'transfer-encoding') ?? ''))
      return 'chunk size'
    const lengths = new Set(
      headerValues(headers, 'content-length').flatMap((value) => value.split(',').map((one) => one.trim())),
    )
    if (lengths.size === 0) return 'until close'
    const [length = ''] = lengths
    if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) throw broken('its Content-Length is not a length')
    this.#left = Number(length)
    return this.#left === 0 ? 'done' : 'counted'
  }

  #readCounted(): boolean {
    const bytes = this.#cut(Math.min(this.#left, this.#held.length))
    if (bytes.length === 0) return false
    this.#left -= bytes.length
    this.#answer.data(bytes)
    if (this.#left > 0) return false
    if (this.#part === 'chunk') this.#part = 'chunk end'
    else this.#finish()
    return true
  }

  #readChunkSize(): boolean {
    const line = this.#cutLine()
    if (line === null) return false
    const size = /^([0-9A-Fa-f]{1,12})[ \t]*(?:;.*)?$/.exec(line)?.[1]
    if (size === undefined) throw broken('a chunk of its body has no size')
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? 'trailers' : 'chunk'
    return true
  }

  #readChunkEnd(): boolean {
    const line = this.#cutLine()
    if (line === null) return false
    if (line !== '') throw broken('a chunk of its body is longer than its size')
    this.#part = 'chunk size'
    return true
  }

  #readTrailer(): boolean {
    const line = this.#cutLine()
    if (line === null) return false
    this.#trailerBytes += line.length + 2
    if (this.#trailerBytes > this.#headBytes) throw broken(`its trailers are over ${this.#headBytes} bytes`)
    if (line === '') this.#finish()
    return true
  }

  #finish(): void {
    this.#part = 'done'
    this.#answer.end()
  }

  #cut(length: number): Buffer {
    const bytes = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return bytes
  }

  #cutLine(): string | null {
    const end = this.#held.indexOf(LF)
    if ((end < 0 ? this.#held.length : end) > MAX_CHUNK_LINE)
      throw broken('a line of its body framing is too long')
    return end < 0
      ? null
      : this.#cut(end + 1)
          .toString('latin1')
          .replace(/\r?\n$/, '')
  }
}

function parseHead(bytes: Buffer): ReturnType<typeof parseRawResponse> {
  try {
    return parseRawResponse(bytes)
  } catch (error) {
    const reason = error instanceof Failure ? String(error.details['reason']) : 'it is not HTTP'
    throw new Failure('TARGET_BROKE_PROTOCOL', { reason }, { cause: error })
  }
}

function broken(reason: string): Failure {
  return new Failure('TARGET_BROKE_PROTOCOL', { reason })
}
