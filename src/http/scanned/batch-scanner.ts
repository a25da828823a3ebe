import { isAscii, isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { type BodyModule, BodyShapes, WORDS_OF_KEY } from './body-shapes.ts'

/** Fields of a flat sample message that are read in place, by their numbers; `assembly/scan.ts` has the same. */
export const FIELD = {
  method: 0,
  path: 1,
  type: 2,
  requestHeaders: 3,
  requestPayload: 4,
  statusCode: 5,
  status: 6,
  responseHeaders: 7,
  responsePayload: 8,
  ip: 9,
  destIp: 10,
  time: 11,
  source: 12,
  direction: 13,
  akto_vxlan_id: 14,
  is_pending: 15,
  tag: 16,
  durationMs: 17,
} as const

/** Longer batches are read the general way: several copies of them would be in memory. */
const MAX_BYTES = 8 * 1024 * 1024

/** What `assembly/memory.ts` calls so: the state's place, as a number of 32-bit words, and its order. */
const STATE = 65_536 / 4
const NUMBERS_AT = STATE + 2
const COUNT = STATE + 4
const HAS_COLLECTION = STATE + 5
const COLLECTION = STATE + 6
const HAS_CODED = STATE + 7
const HIGH = STATE + 8
const LOW = STATE + 9

/** Numbers of a message. */
const MESSAGE_START = 36
const MESSAGE_END = 37
const IS_PLAIN = 38
export const REQUEST_HEADERS = 39
export const RESPONSE_HEADERS = 42
const HAS_SIGN = 45
const NUMBERS = 46
/** Numbers of a header: start and end of its name and of its value. */
const PER_HEADER = 4

/** What the module in `assembly` exports. */
interface ScannerModule extends BodyModule {
  readonly memory: WebAssembly.Memory
  /** Place for this many bytes; 0 when there is no memory for them. */
  reserve(bytes: number): number
  /** 1 when the bytes were read. */
  scan(bytes: number): number
  hashMessage(message: number, high: number, low: number): void
  numbersOfMessage?(): number
  wordsOfKey?(): number
}

let compiled: WebAssembly.Module | null = null

const folder = import.meta.url.endsWith('.ts') ? '../../../dist/wasm' : '../../wasm'
const file = new URL(`${folder}/batch-scanner.wasm`, import.meta.url)
const CURE = 'it is made by npm ci, or by npm run build:wasm'

function newModule(): ScannerModule {
  compiled ??= new WebAssembly.Module(moduleBytes())
  const module = new WebAssembly.Instance(compiled).exports as unknown as ScannerModule
  if (module.numbersOfMessage?.() !== NUMBERS || module.wordsOfKey?.() !== WORDS_OF_KEY)
    throw new Error(`${file.pathname} was made of other sources: ${CURE}`)
  return module
}

function moduleBytes(): Uint8Array {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`${file.pathname} cannot be read: ${CURE}`, { cause })
  }
}

/**
 * Reads the usual form of a live batch in place: the texts of all messages are unescaped into one memory that is used
 * again and again, and only numbers are kept of where they stand. Building an object and texts for every message, as
 * `JSON.parse` does, costs more than to learn it, much of it later, when they are collected.
 *
 * What it reads is JSON by RFC 8259; whatever else a batch holds, {@link read} answers `false`, and the general reader
 * says what it is. What was read lasts until the next batch is. The work is done by the module in `assembly`, which reads
 * sixteen bytes at a time.
 */
export class BatchScanner {
  readonly #module = newModule()
  /** All memory of the module: positions are counted in it. Each text stands at a multiple of four, with a free byte behind it. */
  bytes = new Uint8Array(0)
  words = new Int32Array(0)
  #buffer = Buffer.alloc(0)
  count = 0
  collectionId: number | null = null
  /** Shapes of bodies that are known. */
  readonly shapes = new BodyShapes(this, this.#module)
  /** Counts the batches; what was read of an earlier one is gone. */
  epoch = 0
  /** Every text is ASCII. */
  #isPlain = true
  /** Position of the numbers of the first message in {@link words}. */
  #numbers = 0

  /** Takes a batch; false when it must be read the general way. */
  read(given: Uint8Array): boolean {
    this.epoch++
    this.count = 0
    if (given.length > MAX_BYTES || !isUtf8(given)) return false
    const at = this.#module.reserve(given.length)
    if (at === 0) return false
    if (this.bytes.buffer !== this.#module.memory.buffer) this.#refreshViews()
    this.bytes.set(given, at)
    if (this.#module.scan(given.length) === 0) return false
    const { words } = this
    this.count = words[COUNT]!
    this.collectionId = words[HAS_COLLECTION] === 1 ? words[COLLECTION]! : null
    this.#isPlain = words[HAS_CODED] === 0 && isAscii(given)
    this.#numbers = words[NUMBERS_AT]! >> 2
    return true
  }

  /** Memory that grew is another one for those who look at it. */
  #refreshViews(): void {
    const { buffer } = this.#module.memory
    this.bytes = new Uint8Array(buffer)
    this.words = new Int32Array(buffer)
    this.#buffer = Buffer.from(buffer)
  }

  /** Position of the first byte of a field's text in {@link bytes}; 0 when the message has none. */
  startOf(message: number, field: number): number {
    return this.words[this.#numbers + message * NUMBERS + 2 * field]!
  }

  /** Position behind the last byte of a field's text. */
  endOf(message: number, field: number): number {
    return this.words[this.#numbers + message * NUMBERS + 2 * field + 1]!
  }

  /** False for a message with fields that only the general reader knows. */
  isReadable(message: number): boolean {
    return this.words[this.#numbers + message * NUMBERS + IS_PLAIN] === 1
  }

  /** `query`, `Query` or `jsonrpc` occurs in the request body of a message. */
  holdsSign(message: number): boolean {
    return this.words[this.#numbers + message * NUMBERS + HAS_SIGN] === 1
  }

  /** Headers of a message, of its request or its response; -1 when they must be read the general way. */
  headerCount(message: number, which: typeof REQUEST_HEADERS | typeof RESPONSE_HEADERS): number {
    return this.words[this.#numbers + message * NUMBERS + which + 1]!
  }

  /** Its headers have the names of those of the message before, in their order. */
  hasSameNames(message: number, which: typeof REQUEST_HEADERS | typeof RESPONSE_HEADERS): boolean {
    return this.words[this.#numbers + message * NUMBERS + which + 2] === 1
  }

  /** Position of the places of a message's headers in {@link words}. */
  firstHeader(message: number, which: typeof REQUEST_HEADERS | typeof RESPONSE_HEADERS): number {
    return this.words[this.#numbers + message * NUMBERS + which]! >> 2
  }

  nameStart(first: number, position: number): number {
    return this.words[first + PER_HEADER * position]!
  }

  nameEnd(first: number, position: number): number {
    return this.words[first + PER_HEADER * position + 1]!
  }

  valueStart(first: number, position: number): number {
    return this.words[first + PER_HEADER * position + 2]!
  }

  valueEnd(first: number, position: number): number {
    return this.words[first + PER_HEADER * position + 3]!
  }

  /** The bytes of a message as they were sent; until the next batch is read. */
  rawBytes(message: number): Uint8Array {
    const at = this.#numbers + message * NUMBERS
    return this.bytes.subarray(this.words[at + MESSAGE_START]!, this.words[at + MESSAGE_END]!)
  }

  /** A message as the general reader takes it. */
  parsed(message: number): unknown {
    const at = this.#numbers + message * NUMBERS
    return JSON.parse(
      this.#buffer.toString('utf8', this.words[at + MESSAGE_START]!, this.words[at + MESSAGE_END]!),
    )
  }

  /** The text between two positions is ASCII. */
  isAscii(start: number, end: number): boolean {
    return this.#isPlain || isAscii(this.bytes.subarray(start, end))
  }

  /** The text between two positions. */
  slice(start: number, end: number): string {
    return this.#buffer.toString(this.#isPlain ? 'latin1' : 'utf8', start, end)
  }

  /** Mixes target, headers and bodies of a message into a hash; the halves that come of it are {@link high} and {@link low}. */
  mix(message: number, high: number, low: number): void {
    this.#module.hashMessage(message, high, low)
  }

  get high(): number {
    return this.words[HIGH]!
  }

  get low(): number {
    return this.words[LOW]!
  }
}
