import type { TypeRules } from '../../../data-types/index.ts'
import { type Exchange, keptExchange } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import type { StoreClient } from '../../../store/index.ts'
import { maskedExchange, maskUrl } from '../learn/index.ts'
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
  let masked: Exchange | null = null
  let shownUrl: string | null = null
  if (collection === null || hash === null) return null
  const exchange = keptExchange(item.exchange)
  return {
    finding,
    hash: hashText(hash),
    at: item.exchange.at,
    exchange,
    method: item.exchange.request.method,
    masked() {
      masked ??= maskedExchange(exchange(), collection.isRedacted, rules)
      return masked
    },
    shownUrl() {
      shownUrl ??= maskUrl(startOf(this.masked().request.target), rules)
      return shownUrl
    },
    collectionId: collection.id,
    isRedacted: collection.isRedacted,
    template: item.endpoint?.url ?? null,
  }
}

/** Lists show less; an attack may be far longer. */
const MAX_SHOWN = 4_000

/** The start of a long address, without the half of a value at its end. */
function startOf(target: string): string {
  return target.length <= MAX_SHOWN ? target : target.slice(0, MAX_SHOWN).replace(/[^/?&;]*$/, '')
}
