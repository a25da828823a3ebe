import type { AnswerClusters } from './answer-clusters.ts'
import type { EvidenceNode } from './evidence-trie.ts'
import { lexemeOf, namesCollection } from './lexicon.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import type { PositionMemory } from './position-memory.ts'

/** Score from which a token is taken for a value. */
export const FOLD_FROM = 1.5
const ALIKE_FROM = 0.5

/** All nodes of one token under one template position. */
export interface Kid {
  token: string
  nodes: EvidenceNode[]
  count: number
  weight: number
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

export interface Factor {
  name: string
  value: number
}

export interface Verdict {
  token: string
  folded: boolean
  score: number
  likeness: Likeness
  factors: readonly Factor[]
}

/** Judges which children of a position are values of one parameter. Pure: the same evidence gives the same verdicts. */
export function judge(position: Position, clusters: AnswerClusters, memory: PositionMemory): Verdict[] {
  const kids = position.kids.filter((kid) => lexemeOf(kid.token).kind !== 'reserved')
  if (kids.length === 0) return []
  const likeness = likenessOf(kids, position.strong, clusters)
  const isMember = likeness.map((one) => one.share >= ALIKE_FROM)
  const group = kids.filter((_, i) => isMember[i])
  const strongValues = position.strong.reduce((sum, node) => sum + (node.values?.size ?? 0), 0)
  const distinct = group.length + Math.min(8, strongValues)
  const mean = group.length === 0 ? 0 : group.reduce((s, kid) => s + lexemeOf(kid.token).weight, 0) / group.length
  const requests = group.reduce((sum, kid) => sum + kid.count, 0)
  const role = memory.roleOf(position.text, position.literalName)
  const common = commonFactors(position, group, likeness, isMember, { distinct, strongValues, mean, requests, role })
  const positive = group.filter((kid) => lexemeOf(kid.token).weight > 0).length + Math.min(8, strongValues)
  const certainty = clamp((positive / Math.max(1, distinct) - 0.2) / 0.5, 0, 1) * clamp(positive / 4, 0, 1)
  const fade = clamp((40 - distinct) / 32, 0, 1)
  return kids.map((kid, i) => {
    const own = lexemeOf(kid.token).weight
    const factors: Factor[] = []
    if (isMember[i]) {
      factors.push({ name: 'lexical', value: mean + 0.8 * (own - mean) }, ...common)
      const { share, information } = likeness[i]!
      const alike = 2 * certainty * clamp((share - 0.6) / 0.3, -1, 1) * clamp(information / 3, 0, 1)
      const doubt = 1 - 0.4 * Math.max(0, alike)
      if (alike !== 0) factors.push({ name: 'like certain values', value: alike })
      if (position.parents >= 4) {
        const recurrence = kid.nodes.length / position.parents
        factors.push({ name: 'parent recurrence', value: doubt * clamp(-6 * (recurrence - 0.3) * fade, -4, 2) })
      }
      if (group.length > 5 && own < 0 && kid.count > 0.3 * requests) {
        factors.push({ name: 'dominance', value: -2 * doubt })
      }
    } else {
      factors.push({ name: 'lexical', value: own })
      if (likeness[i]!.information < 0.5) factors.push({ name: 'little known', value: clamp(distinct / 4 - 2, -2.5, 2) })
      else factors.push({ name: 'unlike its siblings', value: -2.5 })
      if (role !== 0) factors.push({ name: 'role', value: role })
    }
    if (memory.isKnownValue(kid.token, memory.wasFolded(position.text, kid.token)))
      factors.push({ name: 'known value', value: own < 0 ? 0.8 : 1.6 })
    const score = factors.reduce((sum, factor) => sum + factor.value, 0)
    return { token: kid.token, folded: score >= FOLD_FROM, score, likeness: likeness[i]!, factors }
  })
}

function commonFactors(
  position: Position,
  group: readonly Kid[],
  likeness: readonly Likeness[],
  isMember: readonly boolean[],
  facts: { distinct: number; strongValues: number; mean: number; requests: number; role: number },
): Factor[] {
  const { distinct, strongValues, mean, requests, role } = facts
  const common: Factor[] = []
  common.push({ name: 'cardinality', value: clamp(1.1 * Math.log2(Math.max(distinct, 0.5) / 6), -2.5, 3) })
  const singles = group.filter((kid) => kid.count === 1).length
  if (requests > 0 && singles / requests > 0.02) common.push({ name: 'growth', value: 1 })
  if (role !== 0) common.push({ name: 'role', value: role })
  if (mean <= -0.5 && distinct < 5 && role <= 0) common.push({ name: 'few words', value: -2 })
  if (position.depth === 0) common.push({ name: 'first segment', value: -2.5 })
  if (position.literalName !== '') {
    common.push({ name: 'after a collection', value: namesCollection(position.literalName) ? 0.5 : -0.5 })
  }
  if (strongValues >= 3 && group.length <= 3) common.push({ name: 'odd one among certain values', value: -2 })
  let leaves = 0
  let members = 0
  for (const [i, one] of likeness.entries()) {
    if (!isMember[i] || one.share < 0.75) continue
    leaves += one.sharedLeaves
    members++
  }
  if (members >= group.length / 2 && members > 0) {
    const rich = clamp(leaves / members - 2, 0, 3)
    if (rich > 0) common.push({ name: 'richness', value: rich })
  }
  return common
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}
