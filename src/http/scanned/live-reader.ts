import { freeMemory, nowSeconds } from '../../kit/index.ts'
import type { DataSource } from '../exchange.ts'
import { readLiveBatch } from '../live-batch.ts'
import { readSampleMessage } from '../sample-message.ts'
import { ScannedBatch } from './scanned-batch.ts'
import type { LiveExchange } from './scanned-exchange.ts'

/** The messages of a live batch, each asked for once and before the next batch is opened. */
export interface LiveMessages {
  readonly count: number
  /** Collection that the batch names for all of them. */
  readonly collectionId: number | null
  /** The exchange at an index; a text says why the message is none. */
  readonly exchangeAt: (index: number) => LiveExchange | string
}

/**
 * Opens live batches, one after the other: in place where their form allows it, else by building what they hold. The
 * inventory and detection read messages only through it, so that both take each message for the same.
 */
export class LiveReader {
  readonly #scanned = new ScannedBatch()
  /** Bytes of the batch that is read in place. */
  #held: Uint8Array | null = null
  readonly #readsInPlace: boolean

  /** @param readsInPlace false: every message is built, which gives the same */
  constructor(readsInPlace = true) {
    this.#readsInPlace = readsInPlace
  }

  /**
   * Turns to the next transaction: forgets messages that were kept for the one before, and makes room for shapes of bodies
   * when there is none, whose counts go with them.
   */
  begin(): void {
    const { kept, scanner } = this.#scanned
    kept.clear()
    if (scanner.shapes.isFull) scanner.shapes.clear()
  }

  /**
   * Opens a batch, which is given away; what was read of the one before is gone.
   *
   * @param source of messages that name none
   * @throws Failure INVALID_JSON_BODY, FIELD_REQUIRED, INVALID_FIELD, TOO_MANY_MESSAGES
   */
  open(bytes: Uint8Array, source: DataSource): LiveMessages {
    if (this.#held !== null) freeMemory(this.#held)
    this.#held = null
    if (!this.#readsInPlace || !this.#scanned.read(bytes)) return parsedMessages(bytes, source)
    this.#held = bytes
    const { scanner } = this.#scanned
    const now = nowSeconds()
    return {
      count: scanner.count,
      collectionId: scanner.collectionId,
      exchangeAt: (index) =>
        this.#scanned.exchange(index, source, now) ?? readSampleMessage(scanner.parsed(index), { source }),
    }
  }
}

function parsedMessages(bytes: Uint8Array, source: DataSource): LiveMessages {
  const { messages, collectionId } = readLiveBatch(bytes)
  freeMemory(bytes)
  return {
    count: messages.length,
    collectionId,
    exchangeAt(index) {
      const message = messages[index]
      messages[index] = null
      return readSampleMessage(message, { source })
    },
  }
}
