import type { FactKind } from '../../store/index.ts'
import { Fact, type TouchedFacts } from './fact.ts'
import { KeyTree } from './key-tree.ts'

/** Windows of the per-address statistics, in minutes. */
export const IP_WINDOW_MINUTES = 5
/** Addresses told apart per endpoint and window; the others are counted together under '*'. */
const MAX_ADDRESSES = 2000

/** Retained samples per endpoint: the first ever, one per status and credential, and the latest ones. */
const MAX_SAMPLES = 10
const RECENT_SLOTS = 4
const RECENT_EVERY_SECONDS = 30
const MAX_STATUS_SLOTS = 4
const MAX_CREDENTIAL_SLOTS = 2

/** What is held in memory about one endpoint: known facts, sets shown in lists, and counts on their way to the store. */
export class EndpointState {
  /** 0 until the row is written. */
  id = 0
  isStored = false
  /** A set or attribute of the endpoint's row changed. */
  isChanged = false
  isDocumented = false
  apiType = 'REST'
  discoveredAt: number
  firstSeen: number
  lastSeen: number
  /** Calls that were counted since the state was made or loaded, and the stored ones. */
  calls = 0
  readonly codes = new Set<number>()
  readonly access = new Set<string>()
  readonly sensitiveInRequest = new Set<string>()
  readonly sensitiveInResponse = new Set<string>()
  readonly sources = new Map<string, number>()
  /** Combinations of credentials: sorted kinds joined by ','. */
  readonly credentials = new Set<string>()
  /** What of it really applies, as last written. */
  actualAuthTypes: readonly string[] = []
  /** Addresses that called without credentials; a few are enough to tell one prober from the public. */
  readonly anonymousClients = new Set<string>()
  readonly attributes = new Map<string, unknown>()
  readonly sampleSlots = new Set<string>()
  lastRecentSampleAt = 0
  #nextRecent = 0

  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly origin: string
  readonly isTemplate: boolean

  readonly #trees = new Map<string, KeyTree>()
  readonly #plainFacts = new Map<string, Fact>()
  readonly #requestTrees: { [K in FactKind]?: KeyTree } = {}
  readonly #endpointId = () => this.id

  constructor(
    place: { collectionId: number; method: string; url: string; origin: string; isTemplate: boolean },
    at: number,
  ) {
    this.collectionId = place.collectionId
    this.method = place.method
    this.url = place.url
    this.origin = place.origin
    this.isTemplate = place.isTemplate
    this.firstSeen = at
    this.lastSeen = at
    this.discoveredAt = at
  }

  /** The keys of one place; `code` is -1 for requests. */
  tree(kind: FactKind, code: number): KeyTree {
    if (code === -1) {
      const known = this.#requestTrees[kind]
      if (known !== undefined) return known
      const made = new KeyTree(this.#endpointId, kind, code)
      this.#requestTrees[kind] = made
      this.#trees.set(`${kind} -1`, made)
      return made
    }
    const name = `${kind} ${code}`
    let tree = this.#trees.get(name)
    if (tree === undefined) {
      tree = new KeyTree(this.#endpointId, kind, code)
      this.#trees.set(name, tree)
    }
    return tree
  }

  /** A counted thing that is no parameter: credentials by outcome, access classes. */
  touchPlain(kind: FactKind, name: string, type: string, at: number, touched: TouchedFacts): Fact {
    const key = `${kind} ${name} ${type}`
    let fact = this.#plainFacts.get(key)
    if (fact === undefined) {
      fact = new Fact(this.#endpointId, kind, -1, name, type, at)
      this.#plainFacts.set(key, fact)
    }
    fact.touch(at, touched)
    return fact
  }

  /** Puts back a stored fact. */
  restoreFact(row: {
    id: number
    kind: FactKind
    response_code: number
    name: string
    value_type: string
    count: number
    first_seen: number
    last_seen: number
    is_sensitive: boolean
    detail: Fact['detail']
  }): void {
    let fact: Fact
    if (row.kind === 'AUTH' || row.kind === 'ACCESS') {
      fact = new Fact(this.#endpointId, row.kind, -1, row.name, row.value_type, row.first_seen)
      this.#plainFacts.set(`${row.kind} ${row.name} ${row.value_type}`, fact)
    } else {
      const tree = this.tree(row.kind, row.response_code)
      const node = tree.nodeOf(row.name)
      if (node === null) return
      fact = tree.fact(node, row.value_type, row.first_seen)
      node.verdicts += row.count
      if (row.value_type !== 'NULL' && row.value_type !== 'OTHER') node.usualText = row.value_type
    }
    fact.id = row.id
    fact.total = row.count
    fact.firstSeen = row.first_seen
    fact.lastSeen = row.last_seen
    fact.isSensitive = row.is_sensitive
    fact.detail = row.detail
    fact.isStored = true
    fact.isChanged = false
  }

  /** Counts of each combination of credentials by outcome class. */
  *credentialCounts(): Iterable<{ combination: string; outcome: string; count: number; lastSeen: number }> {
    for (const fact of this.#plainFacts.values()) {
      if (fact.kind !== 'AUTH') continue
      yield { combination: fact.name, outcome: fact.type, count: fact.total, lastSeen: fact.lastSeen }
    }
  }

  /** Adds to a set of the row and notes the change. */
  addTo<T>(set: Set<T>, item: T): void {
    if (set.has(item)) return
    set.add(item)
    this.isChanged = true
  }

  /** The slot a message would take among the samples, or null when it adds nothing worth keeping. */
  sampleSlot(status: number, credential: string, at: number): string | null {
    const slots = this.sampleSlots
    if (slots.size < MAX_SAMPLES) {
      if (!slots.has('first')) return 'first'
      const byStatus = `status:${status}`
      if (!slots.has(byStatus) && countPrefix(slots, 'status:') < MAX_STATUS_SLOTS) return byStatus
      const byCredential = `credential:${credential}`
      if (!slots.has(byCredential) && countPrefix(slots, 'credential:') < MAX_CREDENTIAL_SLOTS)
        return byCredential
    }
    const recents = countPrefix(slots, 'recent:')
    const hasRoom = recents < RECENT_SLOTS && slots.size < MAX_SAMPLES
    if (!hasRoom && (recents === 0 || at - this.lastRecentSampleAt < RECENT_EVERY_SECONDS)) return null
    this.lastRecentSampleAt = at
    const slot = `recent:${this.#nextRecent % RECENT_SLOTS}`
    this.#nextRecent++
    return slot
  }

  /** Number of facts held, for the memory budget. */
  get factCount(): number {
    return this.#plainFacts.size + this.#trees.size * 20
  }
}

function countPrefix(slots: Set<string>, prefix: string): number {
  let count = 0
  for (const slot of slots) if (slot.startsWith(prefix)) count++
  return count
}

export { MAX_ADDRESSES }
