import type { Mark, Run } from './tcp-flow.ts'

/** One HTTP/1.x message of a direction, with the bytes of it that were captured. */
export interface StreamMessage {
  readonly bytes: Buffer
  /** The packet in which it begins. */
  readonly first: Mark
  /** Sequence number behind its last byte. */
  readonly end: number
  /** 0 for requests. */
  readonly status: number
  /** Upper-case method; '' for responses. */
  readonly method: string
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
/** Longest start line and headers together. */
const MAX_HEAD = 1_048_576
const MAX_START_LINE = 65_600
const METHOD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,31}) \S/
const VERSION = /^ HTTP\/1\.[01]\r?$/
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[ \r\n]/
const CHUNK_LINE = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?\r?$/
const MAX_CHUNK_LINE = 1024
const CHUNKED = /^transfer-encoding:[^\n]*\bchunked[ \t]*\r?$/im
const LENGTH = /^content-length:[ \t]*(\d{1,15})[ \t]*\r?$/im

interface StartLine {
  readonly method: string
  readonly status: number
}

/** Reads the messages of one direction; behind a gap it continues at the next packet that begins with a start line. */
export class HttpStream {
  readonly #runs: readonly Run[]
  #run = 0
  /** Position in the current run. */
  #at = 0
  #mark = 0
  /** Place of the last line end that was looked up, for lines that are tried at many places. */
  #lineEnd = -1

  constructor(runs: readonly Run[]) {
    this.#runs = runs
  }

  /** What its first start line is of; undefined when it has none. */
  static kindOf(runs: readonly Run[]): 'request' | 'response' | undefined {
    const stream = new HttpStream(runs)
    const line = stream.#seek()
    return line === undefined ? undefined : line.status === 0 ? 'request' : 'response'
  }

  /**
   * @param methodOf method of the request that a response beginning in a packet answers: it decides whether the
   *   response has a body
   */
  *messages(methodOf: (first: Mark) => string = () => ''): Generator<StreamMessage> {
    for (let line = this.#seek(); line !== undefined; line = this.#seek()) {
      const run = this.#runs[this.#run]!
      const start = this.#at
      const first = this.#markAt(start)
      const bodyStart = this.#headEnd(run.bytes)
      if (bodyStart === undefined) continue
      const head = run.bytes.toString('latin1', start, bodyStart)
      const asked = line.status === 0 ? '' : methodOf(first)
      const end = this.#bodyEnd(head, bodyStart, line, asked)
      const bytes = run.bytes.subarray(start, Math.min(end, run.bytes.length))
      yield { bytes, first, end: (run.start + end) >>> 0, ...line }
      // Behind it the connection speaks another protocol, or another connection.
      if (line.status === 101 || (asked === 'CONNECT' && line.status >= 200 && line.status < 300)) return
      this.#moveTo(end)
    }
  }

  /** Moves to the next start line, at once or at the start of a packet; undefined when there is none. */
  #seek(): StartLine | undefined {
    for (; this.#run < this.#runs.length; this.#nextRun()) {
      const { bytes, marks } = this.#runs[this.#run]!
      while (bytes[this.#at] === CR || bytes[this.#at] === LF) this.#at++
      while (this.#at < bytes.length) {
        const line = this.#startLine(bytes)
        if (line !== undefined) return line
        while (this.#mark < marks.length && marks[this.#mark]!.offset <= this.#at) this.#mark++
        this.#at = marks[this.#mark]?.offset ?? bytes.length
      }
    }
    return undefined
  }

  #startLine(bytes: Buffer): StartLine | undefined {
    if (this.#lineEnd < this.#at) {
      const found = bytes.indexOf(LF, this.#at)
      this.#lineEnd = found < 0 ? bytes.length : found
    }
    if (this.#lineEnd >= bytes.length || this.#lineEnd - this.#at > MAX_START_LINE) return undefined
    const status = STATUS_LINE.exec(bytes.toString('latin1', this.#at, this.#at + 13))?.[1]
    if (status !== undefined) return { method: '', status: Number(status) }
    const method = METHOD.exec(bytes.toString('latin1', this.#at, this.#at + 33))?.[1]
    if (method === undefined) return undefined
    // Tried at the start of every packet, so it looks at few bytes: the target ends where the version begins.
    const targetEnd = bytes.indexOf(SPACE, this.#at + method.length + 1)
    const version = bytes.toString('latin1', targetEnd, Math.min(this.#lineEnd, targetEnd + 11))
    const isRequest = targetEnd > 0 && VERSION.test(version)
    return isRequest ? { method: method.toUpperCase(), status: 0 } : undefined
  }

  /** Where the body begins; a head without end is passed over. */
  #headEnd(bytes: Buffer): number | undefined {
    let at = bytes.indexOf(LF, this.#at)
    while (at >= 0 && at - this.#at <= MAX_HEAD) {
      const next = bytes[at + 1] === CR ? at + 2 : at + 1
      if (bytes[next] === LF) return next + 1
      at = bytes.indexOf(LF, at + 1)
    }
    this.#moveTo(at < 0 ? bytes.length : at)
    return undefined
  }

  /** Where the message ends (RFC 9112 section 6.3), possibly behind what was captured. */
  #bodyEnd(head: string, bodyStart: number, { status }: StartLine, asked: string): number {
    const isResponse = status !== 0
    if (isResponse && (asked === 'HEAD' || status < 200 || status === 204 || status === 304)) return bodyStart
    const { bytes } = this.#runs[this.#run]!
    if (CHUNKED.test(head)) return chunkedEnd(bytes, bodyStart)
    const length = LENGTH.exec(head)?.[1]
    if (length !== undefined) return bodyStart + Number(length)
    return isResponse ? bytes.length : bodyStart
  }

  /** Moves to a position of the current run, or what lies there in a later one. */
  #moveTo(end: number): void {
    const position = this.#runs[this.#run]!.start + end
    this.#at = end
    while (this.#run < this.#runs.length) {
      const { start, bytes } = this.#runs[this.#run]!
      if (position < start + bytes.length) {
        this.#at = Math.max(0, position - start)
        return
      }
      this.#nextRun()
    }
  }

  #nextRun(): void {
    this.#run++
    this.#at = 0
    this.#mark = 0
    this.#lineEnd = -1
  }

  /** The packet that the byte at a position of the current run came in. */
  #markAt(position: number): Mark {
    const { marks } = this.#runs[this.#run]!
    this.#mark = Math.min(this.#mark, marks.length - 1)
    while (this.#mark + 1 < marks.length && marks[this.#mark + 1]!.offset <= position) this.#mark++
    while (this.#mark > 0 && marks[this.#mark]!.offset > position) this.#mark--
    return marks[this.#mark]!
  }
}

/** Behind the last chunk and its trailers; where the chunks break off, the place of the break. */
function chunkedEnd(bytes: Buffer, bodyStart: number): number {
  let at = bodyStart
  for (;;) {
    const lineEnd = bytes.indexOf(LF, at)
    if (lineEnd < 0) return bytes.length
    if (lineEnd - at > MAX_CHUNK_LINE) return at
    const size = CHUNK_LINE.exec(bytes.toString('latin1', at, lineEnd))?.[1]
    if (size === undefined) return at
    const length = Number.parseInt(size, 16)
    if (length === 0) return trailerEnd(bytes, lineEnd + 1)
    at = lineEnd + 1 + length
    if (bytes[at] === CR) at++
    if (bytes[at] === LF) at++
    if (at >= bytes.length) return at
  }
}

function trailerEnd(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf(LF, at)
    if (lineEnd < 0) return bytes.length
    if (lineEnd === at || (lineEnd === at + 1 && bytes[at] === CR)) return lineEnd + 1
    at = lineEnd + 1
  }
}
