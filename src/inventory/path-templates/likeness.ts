import type { AnswerClusters } from './answer-clusters.ts'
import { kindOfElement, LEAF, TOKEN, weightOf } from './elements.ts'
import type { EvidenceNode } from './evidence-trie.ts'

/** How much one child looks like its siblings. */
export interface Likeness {
  /** 0 … 1: spread of its elements over the siblings, against what values of one parameter would show. */
  share: number
  /** How much that rests on; below about 0.5 nothing is known. */
  information: number
  /** Kinds of answers shared with the siblings. */
  sharedLeaves: number
}

/** A child of a position: all its nodes, under whatever parent values. */
export interface Member {
  nodes: readonly EvidenceNode[]
  weight: number
}

/** Rounds of leaving out unlike members and looking again. */
const ROUNDS = 3
const UNLIKE_BELOW = 0.4
const BUCKETS = 24

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
    const spread = spreadOf(members, elements, inside, certain)
    result = members.map((_, i) => likeness(elements[i]!, spread, inside[i]!, clusters))
    const next = result.map(({ share, information }) => share >= UNLIKE_BELOW || information < 0.5)
    if (next.every((value, i) => value === inside[i])) break
    inside = next
  }
  return result
}

type Elements = ReadonlyMap<number, number>

interface Certain {
  elements: Elements
  weight: number
  values: number
}

interface Spread {
  /** Members inside that have the element. */
  having: number
  /** Members that would have it if all were alike. */
  expected: number
}

function elementsOf(nodes: readonly EvidenceNode[]): Elements {
  const all = new Map<number, number>()
  for (const node of nodes) {
    for (let i = 0; i < node.elements.length; i++) {
      const element = node.elements[i]!
      all.set(element, (all.get(element) ?? 0) + node.elementWeights[i]!)
    }
  }
  return all
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

function spreadOf(
  members: readonly Member[],
  elements: readonly Elements[],
  inside: readonly boolean[],
  certain: Certain | null,
): Map<number, Spread> {
  const totals = new Map<number, { weight: number; having: number }>()
  const sizes = new Float64Array(BUCKETS)
  const bucketWeights = new Float64Array(BUCKETS)
  let all = 0
  for (const [i, member] of members.entries()) {
    if (!inside[i]) continue
    all += member.weight
    const bucket = Math.min(BUCKETS - 1, Math.floor(Math.log2(member.weight) * 2))
    sizes[bucket]! += 1
    bucketWeights[bucket]! += member.weight
    for (const [element, weight] of elements[i]!) {
      const total = totals.get(element)
      if (total) {
        total.weight += weight
        total.having++
      } else totals.set(element, { weight, having: 1 })
    }
  }
  if (certain) {
    all += certain.weight
    const each = certain.weight / certain.values
    const bucket = Math.max(0, Math.min(BUCKETS - 1, Math.floor(Math.log2(each) * 2)))
    sizes[bucket]! += certain.values
    bucketWeights[bucket]! += certain.weight
    for (const [element, weight] of certain.elements) {
      const having = certain.values * (1 - (1 - Math.min(0.999, weight / certain.weight)) ** each)
      const total = totals.get(element)
      if (total) {
        total.weight += weight
        total.having += having
      } else totals.set(element, { weight, having })
    }
  }
  const spread = new Map<number, Spread>()
  for (const [element, { weight, having }] of totals) {
    const missing = Math.log1p(-Math.min(0.999, weight / all))
    let expected = 0
    for (let b = 0; b < BUCKETS; b++) {
      if (sizes[b]! > 0) expected += sizes[b]! * (1 - Math.exp((missing * bucketWeights[b]!) / sizes[b]!))
    }
    spread.set(element, { having, expected })
  }
  return spread
}

function likeness(
  elements: Elements,
  spread: ReadonlyMap<number, Spread>,
  isInside: boolean,
  clusters: AnswerClusters,
): Likeness {
  let shared = 0
  let information = 0
  let sharedLeaves = 0
  for (const [element, own] of elements) {
    const others = spread.get(element)
    let having = others?.having ?? 0
    let expected = others?.expected ?? 0
    if (isInside) {
      having -= 1
      expected -= 1
    } else if (others === undefined) {
      // Nobody else has it: telling when it was seen often here.
      expected = Math.min(2, own / 2)
    }
    const told = Math.min(1, Math.max(0, expected / 2))
    if (told <= 0) continue
    const share = Math.min(1, having / expected)
    let weight = weightOf(element, clusters) * told
    // A token that stays with one sibling may be a value that belongs to it, like a project to its owner.
    if (kindOfElement(element) === TOKEN && share < 0.5) weight *= 0.15
    information += weight
    shared += weight * share
    if (kindOfElement(element) === LEAF && share > 0.6 && !clusters.isEmpty(element >> 9)) sharedLeaves++
  }
  return { share: information === 0 ? 0 : shared / information, information, sharedLeaves }
}
