import type { AnswerClusters } from './answer-clusters.ts'
import { kindOfElement, TOKEN, weightOf } from './elements.ts'
import type { EvidenceNode } from './evidence-trie.ts'
import { lexemeOf } from './lexicon.ts'
import type { PositionMemory } from './position-memory.ts'

/** Score from which a token is taken for a value. */
export const FOLD_FROM = 1.5
const SUPPORTED_FROM = 0.5
const UNSUPPORTED_TOKEN = 0.15

/** All nodes of one token under one template position. */
export interface Kid {
  token: string
  nodes: EvidenceNode[]
  count: number
}

/** One position whose children are judged together. */
export interface Position {
  /** Wire text of the segments before. */
  text: string
  kids: readonly Kid[]
  /** Strong nodes under the position. */
  strong: readonly EvidenceNode[]
  /** Distinct parent values, 1 unless the position lies under a parameter. */
  parents: number
  /** Literal segment before, '' when that is a parameter or the start. */
  literalName: string
  /** Segments before, not counting base path and version. */
  depth: number
  /** The segment before is a parameter. */
  isUnderParam: boolean
}

export interface Verdict {
  token: string
  folded: boolean
  score: number
  factors: readonly { name: string; value: number }[]
}

/** Judges which children of a position are values of one parameter. Pure: the same evidence gives the same verdicts. */
export function judge(position: Position, clusters: AnswerClusters, memory: PositionMemory): Verdict[] {
  const kids = position.kids.filter((kid) => lexemeOf(kid.token).kind !== 'reserved')
  if (kids.length === 0) return []
  const strongValues = position.strong.reduce((sum, node) => sum + (node.values?.size ?? 0), 0)
  const support = supportOf(kids, position.strong, clusters)
  const group = kids.filter((_, i) => support[i]!.share >= SUPPORTED_FROM)
  const distinct = group.length + Math.min(8, strongValues)
  const mean =
    group.length === 0 ? 0 : group.reduce((s, kid) => s + lexemeOf(kid.token).weight, 0) / group.length
  const requests = group.reduce((sum, kid) => sum + kid.count, 0)
  const singles = group.filter((kid) => kid.count === 1).length
  const common: { name: string; value: number }[] = []
  common.push({ name: 'cardinality', value: clamp(1.1 * Math.log2(Math.max(distinct, 0.5) / 6), -2.5, 3) })
  if (requests > 0 && singles / requests > 0.02) common.push({ name: 'growth', value: 1 })
  const role = memory.roleOf(position.text, position.literalName)
  if (role !== 0) common.push({ name: 'role', value: role })
  if (mean <= -0.5 && distinct < 5 && role <= 0) common.push({ name: 'few words', value: -2 })
  if (position.depth === 0) common.push({ name: 'first segment', value: -2.5 })
  const rich = richness(group, support, kids, mean)
  if (rich > 0) common.push({ name: 'richness', value: rich })
  const fade = clamp((40 - distinct) / 32, 0, 1)
  return kids.map((kid, i) => {
    const own = lexemeOf(kid.token).weight
    const factors: { name: string; value: number }[] = []
    if (support[i]!.share >= SUPPORTED_FROM) {
      factors.push({ name: 'lexical', value: mean + 0.8 * (own - mean) }, ...common)
      if (position.parents >= 4) {
        const share = kid.nodes.length / position.parents
        factors.push({ name: 'parent recurrence', value: clamp(-6 * (share - 0.3) * fade, -4, 2) })
      }
      if (group.length > 5 && own < 0 && kid.count > 0.3 * requests)
        factors.push({ name: 'dominance', value: -2 })
    } else {
      factors.push({ name: 'lexical', value: own }, { name: 'alone', value: -2.5 })
      if (role !== 0) factors.push({ name: 'role', value: role })
    }
    if (memory.isKnownValue(kid.token, memory.wasFolded(position.text, kid.token)))
      factors.push({ name: 'known value', value: own < 0 ? 0.8 : 1.6 })
    const score = factors.reduce((sum, factor) => sum + factor.value, 0)
    return { token: kid.token, folded: score >= FOLD_FROM, score, factors }
  })
}

interface Support {
  share: number
  leaves: number
}

function supportOf(
  kids: readonly Kid[],
  strong: readonly EvidenceNode[],
  clusters: AnswerClusters,
): Support[] {
  const having = new Map<number, number>()
  const perKid = kids.map((kid) => elementsOf(kid.nodes))
  for (const elements of perKid)
    for (const element of elements) having.set(element, (having.get(element) ?? 0) + 1)
  for (const element of elementsOf(strong)) having.set(element, (having.get(element) ?? 0) + 2)
  return perKid.map((elements) => {
    let supported = 0
    let all = 0
    let leaves = 0
    for (const element of elements) {
      const weight = weightOf(element, clusters)
      if (having.get(element)! >= 2) {
        supported += weight
        all += weight
        if (kindOfElement(element) === 0) leaves++
      } else {
        all += kindOfElement(element) === TOKEN ? weight * UNSUPPORTED_TOKEN : weight
      }
    }
    return { share: all === 0 ? 0 : supported / all, leaves }
  })
}

function elementsOf(nodes: readonly EvidenceNode[]): Iterable<number> {
  if (nodes.length === 1) return nodes[0]!.elements
  const all = new Set<number>()
  for (const node of nodes) for (const element of node.elements) all.add(element)
  return all
}

function richness(
  group: readonly Kid[],
  support: readonly Support[],
  kids: readonly Kid[],
  mean: number,
): number {
  if (group.length === 0 || mean < -1) return 0
  let leaves = 0
  let members = 0
  for (const [i, kid] of kids.entries()) {
    if (!group.includes(kid) || support[i]!.share < 0.8) continue
    leaves += support[i]!.leaves
    members++
  }
  return members < group.length / 2 ? 0 : clamp(leaves / members - 2, 0, 3)
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}
