import type { EpochSeconds } from '../../kit/index.ts'
import type { DataSource, Exchange, RequestMessage, ResponseMessage } from '../exchange.ts'
import { readSampleMessage } from '../sample-message.ts'

/** Bytes that are kept of the messages of a transaction; what is beyond is built at once. */
const MAX_BYTES = 8 * 1024 * 1024
const FIRST_BYTES = 256 * 1024

/** The bytes of messages that may be asked for after their batch is gone. */
export class KeptBytes {
  #bytes = Buffer.alloc(0)
  #used = 0
  /** Counts how often everything was forgotten. */
  epoch = 0

  /** Forgets all that is kept. */
  clear(): void {
    this.epoch++
    this.#used = 0
  }

  /** Copies bytes; returns where they begin, -1 when there is no room. */
  add(bytes: Uint8Array): number {
    const start = this.#used
    const end = start + bytes.length
    if (end > MAX_BYTES) return -1
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(bytes, start)
    this.#used = end
    return start
  }

  text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }

  #grow(needed: number): void {
    let length = Math.max(this.#bytes.length, FIRST_BYTES)
    while (length < needed) length *= 2
    const grown = Buffer.allocUnsafeSlow(Math.min(length, MAX_BYTES))
    this.#bytes.copy(grown, 0, 0, this.#used)
    this.#bytes = grown
  }
}

/** What of an exchange is at hand without reading it. */
type Facts = Pick<Exchange, 'at' | 'clientIp' | 'source' | 'direction'>

/**
 * An exchange of a live batch that may be asked for until the next transaction begins: its bytes are kept, and read when
 * somebody asks, which is rare. It must not be spread: {@link plainExchange} gives one that lasts.
 */
export class KeptExchange implements Exchange {
  readonly at: EpochSeconds
  readonly clientIp: string
  readonly source: DataSource
  readonly direction: 1 | 2
  readonly #kept: KeptBytes
  readonly #start: number
  readonly #end: number
  readonly #epoch: number
  #read: Exchange | null = null

  constructor(facts: Facts, kept: KeptBytes, start: number, end: number) {
    this.at = facts.at
    this.clientIp = facts.clientIp
    this.source = facts.source
    this.direction = facts.direction
    this.#kept = kept
    this.#start = start
    this.#end = end
    this.#epoch = kept.epoch
  }

  /** The same as a plain object, which lasts. */
  get plain(): Exchange {
    this.#read ??= this.#readBytes()
    return this.#read
  }

  get request(): RequestMessage {
    return this.plain.request
  }

  get response(): ResponseMessage {
    return this.plain.response
  }

  get serverIp(): string {
    return this.plain.serverIp
  }

  get vxlanId(): number {
    return this.plain.vxlanId
  }

  get tags(): Exchange['tags'] {
    return this.plain.tags
  }

  #readBytes(): Exchange {
    if (this.#kept.epoch !== this.#epoch)
      throw new Error('a message was read after the transaction it was kept for')
    const read = readSampleMessage(JSON.parse(this.#kept.text(this.#start, this.#end)), this)
    if (typeof read === 'string') throw new Error(`two readers disagree about a message: ${read}`)
    return read
  }
}
