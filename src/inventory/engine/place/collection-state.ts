import type { PathStanding, PathTrie } from '../../../path-templates/index.ts'
import type { CollectionKind, CollectionTag } from '../../../store/index.ts'
import type { PathParameter } from '../learn/index.ts'
import type { EndpointState } from '../state/index.ts'

/** Exact targets remembered per collection and generation, so that a known path costs one look-up. */
const MAX_KNOWN_TARGETS = 12_000

/** What an exact method and path led to before. */
export interface KnownTarget {
  endpoint: EndpointState
  /** Normalised path. */
  path: string
  /** Key names of a successful exchange: evidence for the path engine; null until it wanted them. */
  keys: readonly string[] | null
  parameters: readonly PathParameter[]
  /** The path carries several logical operations (GraphQL, JSON-RPC, SOAP): look at the body every time. */
  isSplit: boolean
  /** Where the path stands in the path engine, once it was asked. */
  standing: PathStanding | null
}

/** An endpoint whose path is evidence. */
export interface EvidenceRow {
  readonly method: string
  readonly url: string
  readonly is_template: boolean
  /** Moves with its path: neither a member of a template nor an operation behind a path. */
  readonly is_movable: boolean
  readonly last_seen: number
}

/** A save of a trie, and who made it when: processes of the version before save without a new revision. */
export interface SavedRevision {
  readonly revision: number
  readonly saved_by: string
}

/** One collection in memory: its settings, its tries (one per origin), its endpoints met so far. */
export class CollectionState {
  readonly tries = new Map<string, PathTrie>()
  /** Which save of each trie it goes by. */
  readonly revisions = new Map<string, SavedRevision>()
  /** Endpoints that did not stand where the tries place them when these were read, by origin. */
  readonly misplaced = new Map<string, readonly EvidenceRow[]>()
  /** URLs where endpoints came to stand by a merge, a split or a document; see `group-watch.ts`. */
  readonly movedUrls = new Set<string>()
  /** Endpoints in memory by `METHOD url`. */
  readonly endpoints = new Map<string, EndpointState>()
  /** By method, then by path: those met since the older generation was full, and the older ones. */
  #known = new Map<string, Map<string, KnownTarget>>()
  #older = new Map<string, Map<string, KnownTarget>>()
  #knownCount = 0

  readonly id: number
  readonly kind: CollectionKind
  readonly hostName: string | null
  readonly isRedacted: boolean
  readonly isDeactivated: boolean
  readonly tags: readonly CollectionTag[]
  /** Some document describes operations of it: what it leaves out is undocumented. */
  hasDocument: boolean

  constructor(row: {
    id: number
    kind: CollectionKind
    host_name: string | null
    is_redacted: boolean
    is_deactivated: boolean
    tags: CollectionTag[]
    has_document: boolean
  }) {
    this.id = row.id
    this.kind = row.kind
    this.hostName = row.host_name
    this.isRedacted = row.is_redacted
    this.isDeactivated = row.is_deactivated
    this.tags = row.tags
    this.hasDocument = row.has_document
  }

  /** URLs of host collections are paths, those of the others absolute. */
  get usesAbsoluteUrls(): boolean {
    return this.kind !== 'HOST'
  }

  /** Paths that come again and again stay, however many others come once. */
  known(method: string, path: string): KnownTarget | undefined {
    const known = this.#known.get(method)?.get(path)
    if (known !== undefined) return known
    const older = this.#older.get(method)?.get(path)
    if (older !== undefined) this.remember(method, path, older)
    return older
  }

  remember(method: string, path: string, target: KnownTarget): void {
    if (this.#knownCount >= MAX_KNOWN_TARGETS) {
      this.#older = this.#known
      this.#known = new Map()
      this.#knownCount = 0
    }
    let byPath = this.#known.get(method)
    if (byPath === undefined) {
      byPath = new Map()
      this.#known.set(method, byPath)
    }
    this.#knownCount++
    byPath.set(path, target)
  }

  /** After templates changed: exact targets must be resolved anew. */
  forgetTargets(): void {
    this.#known.clear()
    this.#older.clear()
    this.#knownCount = 0
  }
}
