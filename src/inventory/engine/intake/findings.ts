import type { TypeRules } from '../../../data-types/index.ts'
import { type Exchange, KeptExchange } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import type { StoreClient } from '../../../store/index.ts'
import type { MessageHash } from '../counts/index.ts'
import { maskedExchange, maskUrl } from '../learn/index.ts'
import type { CollectionState } from '../place/index.ts'
import { hashText } from './message-hashes.ts'
import type { IngestItem } from './observer.ts'

/** A message in which somebody found something, when its transaction is about to be committed. */
export interface FoundMessage {
  /** What was found, as {@link FindingsHook.read} gave it. */
  readonly finding: unknown
  /** By which redeliveries of the message are recognised, as hex. */
  readonly hash: string
  readonly at: EpochSeconds
  /** The message as it was sent; until the transaction ends. */
  readonly exchange: () => Exchange
  readonly method: string
  /** The message as its collection lets it be kept. */
  readonly masked: () => Exchange
  /** Its address as lists show it: sensitive values are masked. */
  readonly shownUrl: () => string
  readonly collectionId: number
  /** No value of its collection may be kept. */
  readonly isRedacted: boolean
  /** URL of the endpoint it was counted at, with names for parameters; null when the inventory left it out. */
  readonly template: string | null
}

/**
 * What somebody else found in messages before the engine got them (threats, for example), and writes in the same
 * transaction: the findings of a message are kept exactly when the message is, and a redelivered message brings none.
 */
export interface FindingsHook {
  /** What was found by index of the message in its call; the bytes are those that came with the call. */
  read(bytes: Uint8Array): ReadonlyMap<number, unknown>
  /**
   * Writes what was found in the messages of a transaction, in their order, as its last work; asked again when the
   * transaction is tried again. Not called when nothing was found.
   */
  write(client: StoreClient, messages: readonly FoundMessage[]): Promise<void>
}

/** Nobody looks for anything. */
export const NO_HOOK: FindingsHook = { read: () => new Map(), write: async () => {} }

/** The message of an item that a collection took or left out; null for one that is nobody's: a duplicate, a refused one. */
export function foundMessage(item: IngestItem, finding: unknown, rules: TypeRules): FoundMessage | null {
  const { collection, hash } = item
  return collection === null || hash === null
    ? null
    : new KeptMessage(item, finding, { collection, hash, rules })
}

/** What most findings never ask for is worked out when they do: nearly all of them are only counted. */
class KeptMessage implements FoundMessage {
  readonly finding: unknown
  readonly at: EpochSeconds
  readonly method: string
  readonly collectionId: number
  readonly isRedacted: boolean
  readonly template: string | null
  readonly #exchange: KeptExchange
  readonly #hash: MessageHash
  readonly #rules: TypeRules
  #masked: Exchange | null = null
  #shownUrl: string | null = null

  constructor(
    { exchange, endpoint }: IngestItem,
    finding: unknown,
    kept: { collection: CollectionState; hash: MessageHash; rules: TypeRules },
  ) {
    this.finding = finding
    this.at = exchange.at
    this.#exchange = new KeptExchange(exchange)
    this.method = exchange.request.method
    this.collectionId = kept.collection.id
    this.isRedacted = kept.collection.isRedacted
    this.template = endpoint?.url ?? null
    this.#hash = kept.hash
    this.#rules = kept.rules
  }

  get hash(): string {
    return hashText(this.#hash)
  }

  exchange(): Exchange {
    return this.#exchange.read()
  }

  masked(): Exchange {
    this.#masked ??= maskedExchange(this.exchange(), this.isRedacted, this.#rules)
    return this.#masked
  }

  shownUrl(): string {
    this.#shownUrl ??= maskUrl(startOf(this.masked().request.target), this.#rules)
    return this.#shownUrl
  }
}

/** Lists show less; an attack may be far longer. */
const MAX_SHOWN = 4_000

/** The start of a long address, without the half of a value at its end. */
function startOf(target: string): string {
  return target.length <= MAX_SHOWN ? target : target.slice(0, MAX_SHOWN).replace(/[^/?&;]*$/, '')
}
