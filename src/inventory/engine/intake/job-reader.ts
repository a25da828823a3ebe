import { type DataSource, type Exchange, LiveReader } from '../../../http/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Placement } from '../port.ts'
import type { FindingsHook } from './findings.ts'
import { ImportOrdinals, Ordinals } from './ordinals.ts'
import type { JobInput } from './turn.ts'

/** A live batch as it came, and what is known of it. */
interface LiveBatch {
  readonly bytes: Uint8Array
  readonly placement: Placement
  /** Of messages that name none. */
  readonly defaultSource: DataSource
  /** Collections that the sender may write to; null: all. */
  readonly allowed: readonly number[] | null
  readonly findings: Uint8Array | null
  readonly deliveries: readonly string[] | null
}

/** A slice of exchanges that an importer read. */
interface ObservedSlice {
  readonly exchanges: readonly Exchange[]
  readonly placement: Placement
  /** Undefined: the slice is no part of an import. */
  readonly importId: string | undefined
  readonly findings: Uint8Array | null
}

/** Reads what jobs bring, once their turn has come. */
export class JobReader {
  readonly #live: LiveReader
  readonly #hook: FindingsHook
  readonly #inCall = new Ordinals()
  readonly #imports = new ImportOrdinals()

  /** @param inPlace reads batches in place where their form allows it */
  constructor(hook: FindingsHook, inPlace: boolean) {
    this.#hook = hook
    this.#live = new LiveReader(inPlace)
  }

  /** Begins a turn: what was read for the one before is let go. */
  begin(): void {
    this.#live.begin()
  }

  live(batch: LiveBatch): () => JobInput {
    return () => {
      const { bytes, placement, defaultSource, allowed, findings, deliveries } = batch
      const { count, collectionId, exchangeAt } = this.#live.open(bytes, defaultSource)
      if (allowed !== null && collectionId === null) throw new Failure('COLLECTIONS_RESTRICTED', {})
      if (allowed !== null && !allowed.includes(collectionId!)) throw new Failure('COLLECTION_DENIED', {})
      return {
        count,
        placement: collectionId === null ? placement : { collectionId },
        target: collectionId,
        ordinals: this.#ordinalsOfCall(),
        findings: findings === null ? null : this.#hook.read(findings),
        deliveries,
        exchangeAt,
      }
    }
  }

  observed({ exchanges, placement, importId, findings }: ObservedSlice): () => JobInput {
    return () => ({
      count: exchanges.length,
      placement,
      target: null,
      ordinals: importId === undefined ? this.#ordinalsOfCall() : this.#imports.of(importId),
      findings: findings === null ? null : this.#hook.read(findings),
      deliveries: null,
      exchangeAt: (index) => exchanges[index]!,
    })
  }

  /** Forgets what an import has brought so far, because it failed. */
  forget(importId: string): void {
    this.#imports.forget(importId)
  }

  #ordinalsOfCall(): Ordinals {
    this.#inCall.clear()
    return this.#inCall
  }
}
