import type { DataSource, Exchange } from '../../http/index.ts'
import type { EpochSeconds } from '../../kit/index.ts'
import type { FactKind } from '../../store/index.ts'
import type { DataTypeSettings } from '../data-type-records.ts'

/** Where exchanges go: one collection, or the collection of each exchange's host (created when new). */
export type Placement = { collectionId: number } | { byHost: true }

/** What became of one exchange. `rule` names the admission rule or limit that refused it. */
export type ExchangeOutcome =
  | { taken: true; endpointId: number }
  | { taken: false; rule: string; reason: string }

/** Result of {@link InventoryPort.observe}; `outcomes` has the order of the exchanges given. All effects are committed. */
export interface ObserveOutcome {
  outcomes: ExchangeOutcome[]
  taken: number
  duplicates: number
  dropped: number
}

/**
 * Result of one live batch, in the words of the ledger: every message is accepted, a duplicate of one accepted before,
 * rejected with a reason (it is no message, or names no host), or dropped by the admission rule named.
 */
export interface IngestOutcome {
  accepted: number
  duplicates: number
  rejected: { index: number; reason: string }[]
  dropped: Record<string, number>
}

/** A person's word about path templates; outranks what was learned and is never overturned by the engine. */
export type TemplateDecision =
  | { kind: 'SPLIT'; collectionId: number; method: string; url: string; decidedBy: string }
  | { kind: 'MERGE'; collectionId: number; template: string; decidedBy: string }
  | { kind: 'PIN'; collectionId: number; url: string; decidedBy: string }

/** Endpoints that changed their URL: at a merge several `from` share a `to`, at a split the reverse. */
export interface EndpointMove {
  method: string
  from: string
  to: string
}

/** Why a template is one (inventory of evidence, for people). */
export interface TemplateEvidence {
  template: string
  decidedBy: string
  distinctValues: number
  examples: string[]
  factors: { position: number; name: string; value: number; note: string }[]
  literalSiblings: { value: string; reason: string }[]
}

/** A parameter that a document describes; type and format in the words of JSON Schema, '' when not told. */
export interface DeclaredValue {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly type: string
  readonly format: string
}

/** A key of a described body, flattened like the keys of messages: `a#b#$#c`. */
export interface DeclaredBodyKey {
  readonly key: string
  readonly type: string
  readonly format: string
}

/** An operation described by a document; it never counts as traffic. */
export interface DocumentedOperation {
  method: string
  /** Path, or absolute URL, with `{name}` for parameters. */
  path: string
  /** End of the path that names one of several operations behind an address, such as `/query/orders`. */
  suffix?: string
  protocol?: 'GRAPHQL' | 'GRPC' | 'SOAP' | 'WEBSOCKET' | undefined
  summary?: string
  parameters?: readonly DeclaredValue[]
  requests?: readonly { readonly keys: readonly DeclaredBodyKey[] }[]
  /** `status` as declared: `200`, `4XX`, `default`. */
  responses?: readonly { readonly status: string; readonly keys: readonly DeclaredBodyKey[] }[]
  /** Kept as given, for shadow and drift views and for the generated document. */
  detail: Record<string, unknown>
}

/** A request of which only the address is known. */
export interface ReportedRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  /** When it was sent. */
  readonly at: EpochSeconds
}

/** Where a reported request belongs, or why it has no place. */
export type LocatedEndpoint = { collectionId: number; method: string; url: string } | { reason: string }

/** Whether a type is found at a place, and is sensitive there. */
type Finding = 'NONE' | 'FOUND' | 'SENSITIVE'

/** A parameter at which a data type would be found otherwise than it is. */
export interface TypePlace {
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly kind: FactKind
  readonly responseCode: number
  readonly name: string
  before: Finding
  after: Finding
}

/** What a data type would change in the samples that are kept. */
export interface TypeImpact {
  /** Samples that were looked at. */
  readonly samples: number
  /** There are older ones that were not. */
  readonly isCut: boolean
  /** Parameters at which it is found, before or after. */
  readonly places: readonly TypePlace[]
}

export interface EngineFigures {
  tries: number
  nodes: number
  observations: number
  endpointStates: number
  pendingTallies: number
  /** Messages waiting for their transaction, and their bytes. */
  waitingMessages: number
  waitingBytes: number
  /** What kept the last messages from being stored, some seconds ago at most; null since messages were stored. */
  refusal: 'STORE_FULL' | 'STORE_UNAVAILABLE' | null
  /** CPU microseconds per message and stage since start. */
  stages: Record<string, { messages: number; microseconds: number }>
}

/**
 * The inventory engine as the rest of the product sees it. It runs in a separate thread; every promise resolves
 * after the transaction that holds the effects was committed.
 *
 * @throws Failure OVERLOADED when too much is waiting (with a hint when to come back)
 */
export interface InventoryPort {
  /**
   * One live batch as it came: UTF-8 JSON, `{"batchData":[…]}`, an array of sample messages, or one of them. The bytes
   * are given away. A batch that names a collection which cannot take it is refused whole.
   *
   * @param allowed the collections that the sender may feed, which it must then name; null = all, and any host
   * @param findings what was found in the messages, for the {@link FindingsHook} of the engine; given away
   * @param deliveries what a stream calls each message at every delivery, by index: decides, instead of the content,
   *   whether a message without an id was delivered before
   * @throws Failure NO_SUCH_COLLECTION, GROUP_TARGET, DEACTIVATED_TARGET, COLLECTION_DENIED, COLLECTIONS_RESTRICTED,
   *   or what is wrong with the batch
   */
  ingest(
    batch: Uint8Array,
    placement: Placement,
    defaultSource: DataSource,
    allowed?: readonly number[] | null,
    findings?: Uint8Array | null,
    deliveries?: readonly string[] | null,
  ): Promise<IngestOutcome>
  /** Exchanges of an import or a crawler; findings as with {@link ingest}. */
  observe(
    exchanges: readonly Exchange[],
    placement: Placement,
    importId?: string,
    findings?: Uint8Array | null,
  ): Promise<ObserveOutcome>
  /** Hands over a part of the operations that the next {@link declare} of the same import stores. */
  addDeclared(importId: string, operations: readonly DocumentedOperation[]): Promise<void>
  /**
   * Stores documented operations: path hints for templates, endpoints marked documented and not observed.
   *
   * @param source what the endpoints have as their source; OPEN_API unless given
   */
  declare(
    operations: readonly DocumentedOperation[],
    collectionId: number,
    importId: string,
    source?: DataSource,
  ): Promise<{ created: number }>
  /**
   * The endpoints of requests of which only the address is known, in the order given; unknown ones are made, without
   * calls and samples.
   */
  locate(
    requests: readonly ReportedRequest[],
    placement: Placement,
    source: DataSource,
  ): Promise<LocatedEndpoint[]>
  decide(decision: TemplateDecision): Promise<EndpointMove[]>
  explain(collectionId: number, url: string): Promise<TemplateEvidence | null>
  /** Brings every committed count into the tables that lists read. */
  flush(): Promise<void>
  /** Drops what is held in memory about these collections: they were edited, emptied or deleted. */
  forget(collectionIds: readonly number[]): Promise<void>
  /** Takes over changed data types at once: later messages go by them, retained samples follow in the background. */
  refreshSettings(): Promise<void>
  /**
   * What a data type would change in the samples that are kept; nothing is stored.
   *
   * @param visible collections and groups the asker was granted; null = all
   * @throws Failure INVALID_DATA_TYPE_NAME, INVALID_DATA_TYPE, DATA_TYPE_FIXED
   */
  previewType(settings: DataTypeSettings, visible: readonly number[] | null): Promise<TypeImpact>
  figures(): Promise<EngineFigures>
  /**
   * Brings waiting batches and counts to their end, for at most the time given. The engine has ended when this
   * settles; what it could not bring in was not acknowledged, or is brought in by the next start.
   *
   * @throws what kept it from ending in order
   */
  close(patienceMs?: number): Promise<void>
}
