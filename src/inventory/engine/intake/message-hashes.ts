import { type LiveExchange, ScannedExchange } from '../../../http/index.ts'
import type { MessageHash } from '../counts/index.ts'
import { type BodyBytes, requestBytes, responseBytes } from '../values/index.ts'

/** How long a redelivery is recognised, in seconds. */
export const REDELIVERY_WINDOW_SECONDS = 600

/** Messages remembered per generation; with two generations the memory is fixed at 2 × 2^21 × 8 bytes = 32 MiB. */
const GENERATION_LIMIT = 1_000_000
const SLOTS = 2 ** 21

let high = 0
let low = 0

/**
 * Two multiplicative lanes with different odd constants over the characters from `start` to `end`; order-sensitive,
 * not cryptographic. Four characters make a step, because the multiplications wait for each other.
 */
function mix(text: string, start = 0, end: number = text.length): void {
  let h = high ^ text.length
  let l = low + text.length
  let i = start
  for (; i + 3 < end; i += 4) {
    const word =
      text.charCodeAt(i) ^
      (text.charCodeAt(i + 1) << 8) ^
      (text.charCodeAt(i + 2) << 16) ^
      (text.charCodeAt(i + 3) << 24)
    h = Math.imul(h ^ word, 0x85ebca6b)
    // Multiplying carries differences upwards only; the turn brings them down again.
    h = (h << 13) | (h >>> 19)
    l = Math.imul(l + word, 0xc2b2ae35) ^ (l >>> 15)
  }
  for (; i < end; i++) {
    const c = text.charCodeAt(i)
    h = Math.imul(h ^ c, 0x85ebca6b)
    l = Math.imul(l + c, 0xc2b2ae35) ^ (l >>> 15)
  }
  high = h ^ (l >>> 13)
  low = l ^ (h >>> 16)
}

/** {@link mix} over a whole body; from its bytes, unless it is too long for that. */
function mixBody(body: BodyBytes, text: string): void {
  if (text === '') return
  if (!body.load(text)) {
    mix(text)
    return
  }
  const { words, bytes, length } = body
  let h = high ^ length
  let l = low + length
  const whole = length >> 2
  for (let i = 0; i < whole; i++) {
    const word = words[i]!
    h = Math.imul(h ^ word, 0x85ebca6b)
    h = (h << 13) | (h >>> 19)
    l = Math.imul(l + word, 0xc2b2ae35) ^ (l >>> 15)
  }
  for (let i = whole << 2; i < length; i++) {
    h = Math.imul(h ^ bytes[i]!, 0x85ebca6b)
    l = Math.imul(l + bytes[i]!, 0xc2b2ae35) ^ (l >>> 15)
  }
  high = h ^ (l >>> 13)
  low = l ^ (h >>> 16)
}

/** Characters taken from both ends of a long header value: what differs between two requests stands there. */
const VALUE_END = 16

/** Header values in order; names add nothing that values and their lengths do not tell. */
function mixValues(headers: readonly string[]): void {
  for (let i = 1; i < headers.length; i += 2) {
    const value = headers[i]!
    if (value.length <= 2 * VALUE_END) mix(value)
    else {
      mix(value, 0, VALUE_END)
      mix(value, value.length - VALUE_END)
    }
  }
}

/**
 * Identity of an exchange: the sender's message id when it gave one, else its content with its time and address
 * (bodies whole, long header values by their ends). `ordinal` tells apart messages that are equal within one batch: they are calls of their own, while the
 * same batch sent again gives the same identities. A message sent into another collection (0: by its host) is another.
 */
export function hashExchange(exchange: LiveExchange, ordinal: number, collectionId = 0): MessageHash {
  high = ordinal ^ 0x9e3779b9 ^ Math.imul(collectionId, 0x27d4eb2d)
  low = exchange.source.length
  if (exchange.messageId !== undefined) {
    mix(exchange.messageId)
  } else {
    mixContent(exchange)
    high = Math.imul(high ^ exchange.at, 0x27d4eb2f)
    low = Math.imul(low + exchange.response.status, 0x165667b1) ^ exchange.at
  }
  // Signed halves: greater numbers than 2^31 would be objects of their own.
  high ^= low >>> 15
  low = Math.imul(low, 0x2c1b3c6d) ^ (high >>> 12)
  if (high === 0 && low === 0) low = 1
  return { high, low }
}

/** Identity of a message by what a stream calls it at every delivery. */
export function hashDelivery(delivery: string): MessageHash {
  high = 0x51ed270b
  low = delivery.length
  mix(delivery)
  high ^= low >>> 15
  low = Math.imul(low, 0x2c1b3c6d) ^ (high >>> 12)
  if (high === 0 && low === 0) low = 1
  return { high, low }
}

/** The same message gives the same, however it was read. */
function mixContent(exchange: LiveExchange): void {
  const { request, response } = exchange
  mix(request.method)
  if (exchange instanceof ScannedExchange) {
    const { scanner } = exchange.request.scanned()
    scanner.mix(exchange.request.message, high, low)
    high = scanner.high
    low = scanner.low
  } else {
    mix(request.target)
    mixValues(request.headers)
    mixBody(requestBytes, request.body)
    mixValues(response.headers)
    mixBody(responseBytes, response.body)
  }
  mix(exchange.clientIp)
}

/** Open-addressing set of 64-bit hashes in one flat array, which grows when it is half full. */
class HashTable {
  #slots: Int32Array
  size = 0

  /** @param slots a power of two */
  constructor(slots: number) {
    this.#slots = new Int32Array(slots * 2)
  }

  has(hash: MessageHash): boolean {
    const at = this.#find(hash.high, hash.low)
    return this.#slots[at] !== 0 || this.#slots[at + 1] !== 0
  }

  /** False when the hash was there before. */
  add(hash: MessageHash): boolean {
    const high = hash.high | 0
    const low = hash.low | 0
    const at = this.#find(high, low)
    if (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0) return false
    this.#slots[at] = high
    this.#slots[at + 1] = low
    if (++this.size * 4 > this.#slots.length) this.#grow()
    return true
  }

  clear(): void {
    if (this.size > 0) this.#slots.fill(0)
    this.size = 0
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    for (let i = 0; i < old.length; i += 2) {
      const high = old[i]!
      const low = old[i + 1]!
      if (high === 0 && low === 0) continue
      const at = this.#find(high, low)
      this.#slots[at] = high
      this.#slots[at + 1] = low
    }
  }

  #find(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let at = (low << 1) & mask
    while ((slots[at] !== 0 || slots[at + 1] !== 0) && !(slots[at] === high && slots[at + 1] === low)) {
      at = (at + 2) & mask
    }
    return at
  }
}

/** Slots of a set that begins small. */
const FEW_SLOTS = 2048

/** A set of hashes for as long as one call or transaction lasts; it is used again and again. */
export class HashSet {
  readonly #table = new HashTable(FEW_SLOTS)

  /** False when the hash was there before. */
  add(hash: MessageHash): boolean {
    return this.#table.add(hash)
  }

  has(hash: MessageHash): boolean {
    return this.#table.has(hash)
  }

  clear(): void {
    this.#table.clear()
  }
}

/**
 * The messages of the last minutes, in fixed memory. Two generations take turns: the older one is emptied when the
 * newer is five minutes old or full, so a message is remembered for 5 to 10 minutes or for a million messages.
 */
export class RecentMessages {
  #current = new HashTable(SLOTS)
  #previous = new HashTable(SLOTS)
  #startedAt = 0

  /** True when the hash was added before; adds nothing. */
  has(hash: MessageHash): boolean {
    return this.#current.has(hash) || this.#previous.has(hash)
  }

  /** Remembers a hash; `now` in epoch seconds turns the generations. */
  add(hash: MessageHash, now: number): void {
    if (this.#current.size >= GENERATION_LIMIT || now - this.#startedAt > REDELIVERY_WINDOW_SECONDS / 2) {
      const emptied = this.#previous
      this.#previous = this.#current
      emptied.clear()
      this.#current = emptied
      this.#startedAt = now
    }
    this.#current.add(hash)
  }
}

/** A hash as 16 hexadecimal digits. */
export function hashText({ high, low }: MessageHash): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}
