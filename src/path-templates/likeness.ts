import type { AnswerClusters } from './answer-clusters.ts'
import { kindOfElement, LEAF, LIKE_VALUE, TOKEN, weightOf } from './elements.ts'
import type { EvidenceNode } from './evidence-trie.ts'

/** How much one child looks like its siblings. */
export interface Likeness {
  /** 0 … 1: spread of its elements over the siblings, against what values of one parameter would show. */
  share: number
  /** How much that rests on; below about 0.5 nothing is known. */
  information: number
  /** Kinds of answers shared with the siblings. */
  sharedLeaves: number
  /** Static segments below, shared with the siblings: `items` in `/orders/{id}/items`. */
  sharedTokens: number
}

/** A child of a position: all its nodes, under whatever parent values. */
interface Member {
  nodes: readonly EvidenceNode[]
  weight: number
}

/** Rounds of leaving out unlike members and looking again. */
const ROUNDS = 3
const UNLIKE_BELOW = 0.4
/** A token that stays with one sibling may be a value that belongs to it, like a project to its owner. */
const OWN_TOKEN = 0.15

/**
 * Tests members for being exchangeable. If all were values of one parameter, every element would be spread over them
 * as the requests are; static siblings keep their elements to themselves. `strong` are values that are certain.
 */
export function likenessOf(
  members: readonly Member[],
  strong: readonly EvidenceNode[],
  clusters: AnswerClusters,
): Likeness[] {
  const elements = members.map((member) => elementsOf(member.nodes))
  const certain = strongGroup(strong)
  let inside = members.map(() => true)
  let result: Likeness[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const spread = new Spread(members, elements, inside, certain)
    result = elements.map((own, i) => likeness(own, spread, inside[i]!, clusters))
    const next = result.map(({ share, information }) => share >= UNLIKE_BELOW || information < 0.5)
    if (next.every((value, i) => value === inside[i])) break
    inside = next
  }
  return result
}

interface Elements {
  ids: readonly number[]
  weights: readonly number[]
}

interface Certain {
  elements: Elements
  weight: number
  values: number
}

function elementsOf(nodes: readonly EvidenceNode[]): Elements {
  if (nodes.length === 1) return { ids: nodes[0]!.elements, weights: nodes[0]!.elementWeights }
  const all = new Map<number, number>()
  for (const { elements, elementWeights } of nodes) {
    for (let i = 0; i < elements.length; i++) {
      all.set(elements[i]!, (all.get(elements[i]!) ?? 0) + elementWeights[i]!)
    }
  }
  return { ids: [...all.keys()], weights: [...all.values()] }
}

function strongGroup(strong: readonly EvidenceNode[]): Certain | null {
  if (strong.length === 0) return null
  let weight = 0
  let values = 0
  for (const node of strong) {
    weight += node.weight
    values += node.values?.size ?? 0
  }
  return { elements: elementsOf(strong), weight, values: Math.max(1, Math.min(8, values)) }
}

const BUCKETS = 24

/** How the elements of the members inside are spread: how many have each, how many would if all were alike. */
class Spread {
  readonly #index = new Map<number, number>()
  readonly #weights: number[] = []
  readonly #having: number[] = []
  readonly #expected: number[] = []
  readonly #sizes = new Float64Array(BUCKETS)
  readonly #bucketWeights = new Float64Array(BUCKETS)
  #all = 0

  constructor(
    members: readonly Member[],
    elements: readonly Elements[],
    inside: readonly boolean[],
    certain: Certain | null,
  ) {
    for (let i = 0; i < members.length; i++) {
      if (!inside[i]) continue
      this.#addGroup(1, members[i]!.weight)
      const { ids, weights } = elements[i]!
      for (let j = 0; j < ids.length; j++) this.#add(ids[j]!, weights[j]!, 1)
    }
    if (certain) this.#addCertain(certain)
    for (const weight of this.#weights) this.#expected.push(this.#expectation(weight))
  }

  having(element: number): number {
    const at = this.#index.get(element)
    return at === undefined ? 0 : this.#having[at]!
  }

  /** -1 when no member inside has the element. */
  expected(element: number): number {
    const at = this.#index.get(element)
    return at === undefined ? -1 : this.#expected[at]!
  }

  /** Certain values are seen together: taken as this many members of equal weight. */
  #addCertain({ elements, weight, values }: Certain): void {
    const each = weight / values
    this.#addGroup(values, weight)
    for (let j = 0; j < elements.ids.length; j++) {
      const own = elements.weights[j]!
      const having = values * (1 - (1 - Math.min(0.999, own / weight)) ** each)
      this.#add(elements.ids[j]!, own, having)
    }
  }

  #addGroup(size: number, weight: number): void {
    const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.floor(Math.log2(weight / size) * 2)))
    this.#sizes[bucket]! += size
    this.#bucketWeights[bucket]! += weight
    this.#all += weight
  }

  #add(element: number, weight: number, having: number): void {
    const at = this.#index.get(element)
    if (at === undefined) {
      this.#index.set(element, this.#weights.length)
      this.#weights.push(weight)
      this.#having.push(having)
      return
    }
    this.#weights[at]! += weight
    this.#having[at]! += having
  }

  #expectation(weight: number): number {
    const missing = Math.log1p(-Math.min(0.999, weight / this.#all))
    let expected = 0
    for (let b = 0; b < BUCKETS; b++) {
      const size = this.#sizes[b]!
      if (size > 0) expected += size * (1 - Math.exp((missing * this.#bucketWeights[b]!) / size))
    }
    return expected
  }
}

function likeness(own: Elements, spread: Spread, isInside: boolean, clusters: AnswerClusters): Likeness {
  let shared = 0
  let information = 0
  let sharedLeaves = 0
  let sharedTokens = 0
  for (let i = 0; i < own.ids.length; i++) {
    const element = own.ids[i]!
    let having = spread.having(element)
    let expected = spread.expected(element)
    if (isInside) {
      having--
      expected--
    } else if (expected < 0) {
      // Nobody else has it: telling when it was seen often here.
      expected = Math.min(2, own.weights[i]! / 2)
    }
    if (expected <= 0) continue
    const share = Math.min(1, having / expected)
    const kind = kindOfElement(element)
    let weight = weightOf(element, clusters) * Math.min(1, expected / 2)
    if ((kind === TOKEN || kind === LIKE_VALUE) && share < 0.5) weight *= OWN_TOKEN
    information += weight
    shared += weight * share
    if (share <= 0.6) continue
    if (kind === TOKEN) sharedTokens++
    else if (kind === LEAF && !clusters.isEmpty(element >> 9)) sharedLeaves++
  }
  return { share: information === 0 ? 0 : shared / information, information, sharedLeaves, sharedTokens }
}
