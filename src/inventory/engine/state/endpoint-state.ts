import { nowSeconds } from '../../../kit/index.ts'
import type { FactKind } from '../../../store/index.ts'
import { Fact } from './fact.ts'
import { KeyTree } from './key-tree.ts'

/** Addresses told apart per endpoint and window; the others are counted together under '*'. */
export const MAX_ADDRESSES = 2000

/** Retained samples per endpoint: the first ever, one per status, credential and caller, and the latest ones. */
const MAX_SAMPLES = 10
const RECENT_SLOTS = 4
const RECENT_EVERY_SECONDS = 30
const MAX_STATUS_SLOTS = 4
const MAX_CREDENTIAL_SLOTS = 2
/** Callers of whom one successful sample each is kept beside the others, so that tests know whose requests are whose. */
const MAX_CALLER_SLOTS = 4

/** Keys of the responses with one code. */
interface ResponseTrees {
  readonly headers: KeyTree
  readonly body: KeyTree
}

/** Calls of one endpoint in a batch. */
export interface CallCounts {
  /** The batch that they are counted for. */
  readonly batch: object
  count: number
  lastSeen: number
  /** Minute × 10 + status class of the latest calls, and how many of them {@link minutes} does not have yet. */
  slot: number
  inSlot: number
  /** minute × 10 + status class → calls */
  minutes: Map<number, number>
  /** Start of the window met last, and its calls by address. */
  window: number
  latest: Map<string, number>
  /** window start → address → calls */
  addresses: Map<number, Map<string, number>>
  /** hour × {@link DURATION_BUCKETS} + bucket → calls; null while no source told a duration. */
  durations: Map<number, number> | null
}

/** What is held in memory about one endpoint: known facts, sets shown in lists, and counts on their way to the store. */
export class EndpointState {
  /** 0 until the row is written. */
  id = 0
  isStored = false
  /** A set or attribute of the endpoint's row changed. */
  isChanged = false
  isDocumented = false
  apiType = 'REST'
  /** When Vigil recorded it first; the messages that showed it can be much older, such as those of an import. */
  discoveredAt = nowSeconds()
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
  #callerSlots = 0
  #countedForCallers = -1
  /** Status and credential that asked for a slot of their own last, and in vain. */
  #settledStatus = -1
  #settledCredential = ''
  /** Slots of the latest messages, counted when there were so many slots in all. */
  #recents = 0
  #countedSlots = 0

  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly origin: string
  readonly isTemplate: boolean

  /** Counts of its calls in the batch that is being learned. */
  counts: CallCounts | null = null
  /** What fast paths remember of its calls; nobody else looks into it. */
  memory: object | null = null
  /** The response trees asked for last, and their code. */
  #latestCode = -1
  #latestTrees: ResponseTrees | null = null
  readonly #requestTrees: { [K in FactKind]?: KeyTree } = {}
  readonly #responseTrees = new Map<number, ResponseTrees>()
  /** Facts that are no parameters: kind → name → type → fact. */
  readonly #plainFacts = {
    AUTH: new Map<string, Map<string, Fact>>(),
    ACCESS: new Map<string, Map<string, Fact>>(),
  }
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
  }

  /** The keys of one place; `code` is -1 for requests. */
  tree(kind: FactKind, code: number): KeyTree {
    if (kind !== 'RESPONSE_HEADER' && kind !== 'RESPONSE_BODY') {
      const known = this.#requestTrees[kind]
      if (known !== undefined) return known
      const made = new KeyTree(this.#endpointId, kind, -1)
      this.#requestTrees[kind] = made
      return made
    }
    const trees = code === this.#latestCode ? this.#latestTrees! : this.#responseTreesOf(code)
    return kind === 'RESPONSE_HEADER' ? trees.headers : trees.body
  }

  #responseTreesOf(code: number): ResponseTrees {
    let trees = this.#responseTrees.get(code)
    if (trees === undefined) {
      trees = {
        headers: new KeyTree(this.#endpointId, 'RESPONSE_HEADER', code),
        body: new KeyTree(this.#endpointId, 'RESPONSE_BODY', code),
      }
      this.#responseTrees.set(code, trees)
    }
    this.#latestCode = code
    this.#latestTrees = trees
    return trees
  }

  /** The fact of something that is no parameter: credentials by outcome, access classes. Created when new. */
  plainFact(kind: 'AUTH' | 'ACCESS', name: string, type: string, at: number): Fact {
    let byType = this.#plainFacts[kind].get(name)
    if (byType === undefined) {
      byType = new Map()
      this.#plainFacts[kind].set(name, byType)
    }
    let fact = byType.get(type)
    if (fact === undefined) {
      fact = new Fact(this.#endpointId, kind, -1, name, type, at)
      byType.set(type, fact)
    }
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
      fact = this.plainFact(row.kind, row.name, row.value_type, row.first_seen)
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
    for (const byOutcome of this.#plainFacts.AUTH.values()) {
      for (const fact of byOutcome.values()) {
        yield { combination: fact.name, outcome: fact.type, count: fact.total, lastSeen: fact.lastSeen }
      }
    }
  }

  /** Sensitive types met in path or query. */
  sensitiveInUrl(): string[] {
    const types = new Set<string>()
    for (const tree of [this.#requestTrees.PATH, this.#requestTrees.QUERY]) {
      for (const node of tree?.root.kids?.values() ?? []) {
        for (const fact of node.facts) if (fact.isSensitive) types.add(fact.type)
      }
    }
    return [...types].sort()
  }

  /** A password stands at the top of a request body, as it does where people sign in. */
  takesPasswords(): boolean {
    for (const node of this.#requestTrees.REQUEST_BODY?.root.kids?.values() ?? []) {
      if (node.facts.some(({ type }) => type === 'PASSWORD')) return true
    }
    return false
  }

  /** Adds to a set of the row and notes the change. */
  addTo<T>(set: Set<T>, item: T): void {
    if (set.has(item)) return
    set.add(item)
    this.isChanged = true
  }

  /**
   * The slot a message would take among the samples, or null when it adds nothing worth keeping. `now` is the time of
   * day, not that of the message: it bounds how often samples are written.
   */
  sampleSlot(status: number, credential: string, now: number): string | null {
    const slots = this.sampleSlots
    if (slots.size >= MAX_SAMPLES && now - this.lastRecentSampleAt < RECENT_EVERY_SECONDS) return null
    // Slots are only ever added: what a status and credential did not get before, they do not get now.
    if (
      slots.size < MAX_SAMPLES &&
      !(status === this.#settledStatus && credential === this.#settledCredential)
    ) {
      if (!slots.has('first')) return 'first'
      const byStatus = `status:${status}`
      if (!slots.has(byStatus) && countPrefix(slots, 'status:') < MAX_STATUS_SLOTS) return byStatus
      const byCredential = `credential:${credential}`
      if (!slots.has(byCredential) && countPrefix(slots, 'credential:') < MAX_CREDENTIAL_SLOTS)
        return byCredential
      this.#settledStatus = status
      this.#settledCredential = credential
    }
    if (slots.size !== this.#countedSlots) {
      this.#countedSlots = slots.size
      this.#recents = countPrefix(slots, 'recent:')
    }
    const recents = this.#recents
    const hasRoom = recents < RECENT_SLOTS && slots.size < MAX_SAMPLES
    if (!hasRoom && (recents === 0 || now - this.lastRecentSampleAt < RECENT_EVERY_SECONDS)) return null
    this.lastRecentSampleAt = now
    const slot = `recent:${this.#nextRecent % RECENT_SLOTS}`
    this.#nextRecent++
    return slot
  }

  /** Whether a successful message could take the slot of a caller. */
  get hasCallerRoom(): boolean {
    if (this.sampleSlots.size !== this.#countedForCallers) {
      this.#countedForCallers = this.sampleSlots.size
      this.#callerSlots = countPrefix(this.sampleSlots, 'caller:')
    }
    return this.#callerSlots < MAX_CALLER_SLOTS
  }

  /** The slot of a caller that has none yet; null for one that has, and where there is no room. */
  callerSlot(caller: string): string | null {
    const slot = `caller:${caller}`
    return caller === '' || !this.hasCallerRoom || this.sampleSlots.has(slot) ? null : slot
  }

  /** Keys held, for the memory budget. */
  get keyCount(): number {
    let count = this.#plainFacts.AUTH.size + this.#plainFacts.ACCESS.size
    for (const tree of Object.values(this.#requestTrees)) count += tree.size
    for (const { headers, body } of this.#responseTrees.values()) count += headers.size + body.size
    return count
  }
}

function countPrefix(slots: Set<string>, prefix: string): number {
  let count = 0
  for (const slot of slots) if (slot.startsWith(prefix)) count++
  return count
}

/** Adds the calls of the latest minute and status class to those of the minutes. */
export function settleMinutes(counts: CallCounts): void {
  const { slot, inSlot, minutes } = counts
  if (inSlot === 0) return
  counts.inSlot = 0
  minutes.set(slot, (minutes.get(slot) ?? 0) + inSlot)
}
