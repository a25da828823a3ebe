import type { HeaderLayout, ScannedRequest, ScannedResponse } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import type { EndpointState, Fact, KeyNode, KeyTree, PendingCounts, TouchedFacts } from '../state/index.ts'
import {
  isSettled,
  type LearningContext,
  learnOther,
  learnScannedHeader,
  noteSensitive,
  usualFact,
} from '../values/index.ts'
import { memoryOf } from './place-memory.ts'

const NINE = 57
/** Messages after which a row is looked at again at the latest: what could not be counted together may have settled. */
const LOOKED_AT_EVERY = 256

/**
 * The headers of one layout at one place of an endpoint, once their values are judged only now and then: what each message
 * adds to every header is counted once for all of them.
 */
export class HeaderRow implements PendingCounts {
  readonly layout: HeaderLayout
  /** Positions that every message must be asked for: cookies, numbers, what is not settled yet. */
  readonly single: readonly number[]
  /** Positions of ordinary texts, which may be numbers for once. */
  readonly #texts: readonly number[]
  readonly #nodes: readonly (KeyNode | null)[]
  /** What is counted at each position; null where it is asked for. */
  readonly #facts: readonly (Fact | null)[]
  /** Messages that had something else at a position. */
  readonly #less: number[]
  readonly #sensitive: readonly string[]
  /** Messages until one is judged in full again. */
  #left: number
  #pending = 0
  #firstSeen: EpochSeconds = 0
  #lastSeen: EpochSeconds = 0

  /** @param nodes of the layout's names; null where a header is learned in a way of its own */
  constructor(layout: HeaderLayout, nodes: readonly (KeyNode | null)[]) {
    this.layout = layout
    this.#nodes = nodes
    this.#facts = nodes.map((node) => (node === null || !isSettled(node) ? null : usualFact(node)))
    this.#less = nodes.map(() => 0)
    const positions = nodes.map((_, position) => position)
    this.single = positions.filter((position) => this.#facts[position] === null)
    this.#texts = positions.filter((position) => this.#facts[position]?.type === 'GENERIC')
    this.#sensitive = [...new Set(this.#facts.flatMap((fact) => (fact?.isSensitive ? [fact.type] : [])))]
    this.#left = this.#unjudged()
  }

  #unjudged(): number {
    let least = LOOKED_AT_EVERY
    for (let position = 0; position < this.#nodes.length; position++) {
      if (this.#facts[position] !== null) least = Math.min(least, this.#nodes[position]!.ticks)
    }
    return least
  }

  /** Counts a message but for its {@link single} positions; false when it is one to be judged in full. */
  take(tree: KeyTree, message: ScannedRequest | ScannedResponse, context: LearningContext): boolean {
    if (this.#left === 0) return false
    this.#left--
    const { at } = context
    if (this.#pending++ === 0) {
      context.pending.push(this)
      this.#firstSeen = at
      this.#lastSeen = at
    } else if (at > this.#lastSeen) this.#lastSeen = at
    else if (at < this.#firstSeen) this.#firstSeen = at
    const { scanner } = message.scanned()
    const location = tree.isResponse ? 'RESPONSE_HEADER' : 'REQUEST_HEADER'
    for (const position of this.#texts) {
      const start = scanner.valueStart(message.firstHeader, position)
      // Few texts begin like numbers: the others cost no more than this.
      if (scanner.bytes[start]! > NINE) continue
      const end = scanner.valueEnd(message.firstHeader, position)
      if (learnOther(tree, this.#nodes[position]!, scanner, start, end, location, context))
        this.#less[position]!++
    }
    for (const type of this.#sensitive) noteSensitive(context, tree.isResponse, type)
    return true
  }

  /** Counts on after a message was judged in full; false when what that taught is not what the row counts. */
  goOn(): boolean {
    for (let position = 0; position < this.#nodes.length; position++) {
      const node = this.#nodes[position]!
      const usual = node === null || !isSettled(node) ? null : usualFact(node)
      if (usual !== this.#facts[position]) return false
      if (usual?.isSensitive && !this.#sensitive.includes(usual.type)) return false
    }
    this.#left = this.#unjudged()
    return true
  }

  /** Has every value that is counted here judged in the next message. */
  judgeNext(): void {
    for (let position = 0; position < this.#nodes.length; position++) {
      if (this.#facts[position] !== null) this.#nodes[position]!.ticks = 0
    }
  }

  /** Adds what was counted to the facts. */
  settle(touched: TouchedFacts): void {
    const count = this.#pending
    if (count === 0) return
    this.#pending = 0
    for (let position = 0; position < this.#facts.length; position++) {
      const fact = this.#facts[position]!
      if (fact === null) continue
      fact.add(count - this.#less[position]!, this.#firstSeen, this.#lastSeen, touched)
      this.#less[position] = 0
    }
  }
}

/** Layouts of one place that have a row: clients are of few kinds, and others are learned header by header. */
const MAX_ROWS = 4

/** Learns headers that were read in place, those of a layout that has settled together. */
export function learnHeaders(
  endpoint: EndpointState,
  tree: KeyTree,
  message: ScannedRequest | ScannedResponse,
  context: LearningContext,
): boolean {
  const { layout } = message
  const { rows } = memoryOf(tree)
  const row = rowOf(rows, layout)
  if (row?.take(tree, message, context)) {
    for (const position of row.single) learnScannedHeader(endpoint, tree, message, position, context)
    return true
  }
  row?.settle(context.touched)
  row?.judgeNext()
  const nodes = layout.lower.map((_, position) =>
    learnScannedHeader(endpoint, tree, message, position, context),
  )
  if (row?.goOn()) return true
  if (nodes.some((node) => node !== null && isSettled(node))) keep(rows, new HeaderRow(layout, nodes))
  return true
}

function rowOf(rows: readonly HeaderRow[], layout: HeaderLayout): HeaderRow | null {
  for (const row of rows) if (row.layout === layout) return row
  return null
}

/** Puts a row in place of that of its layout, if there is room. */
function keep(rows: HeaderRow[], row: HeaderRow): void {
  const at = rows.findIndex(({ layout }) => layout === row.layout)
  if (at >= 0) rows[at] = row
  else if (rows.length < MAX_ROWS) rows.push(row)
}
