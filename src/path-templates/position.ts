import type { AnswerClusters } from './answer-clusters.ts'
import type { EvidenceNode } from './evidence-trie.ts'
import { type Lexeme, lexemeOf } from './lexicon.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import { leastMark } from './observation.ts'
import { isVersion } from './token-form.ts'

/** All nodes of one token under one template position. */
export interface Kid {
  token: string
  nodes: EvidenceNode[]
  count: number
  weight: number
  lexeme: Lexeme
  /** Versions stand below (`/apis/batch/v1`). */
  hasVersions: boolean
  /** The smallest mark of somebody who is called so and asked for it; null when nobody did. */
  callerMark: number | null
  /** Null when the token is never judged: a reserved word or a version. */
  likeness: Likeness | null
}

/** Index of a position in the template. */
export interface Place {
  /** Wire text of the segments before. */
  text: string
  /** Literal segment before, '' when that is a parameter or the start. */
  literalName: string
  /** Segments before, not counting base path and version. */
  depth: number
}

/** One position of a template whose children are judged together, with all that does not change between passes. */
export interface Position extends Place {
  evidence: readonly EvidenceNode[]
  kids: readonly Kid[]
  /** Strong nodes under the position, and how many distinct values they have. */
  strong: readonly EvidenceNode[]
  strongValues: number
}

const ALIKE_FROM = 0.5

/** True when the kid looks like its siblings. */
export function isAlike(kid: Kid): boolean {
  return kid.likeness !== null && kid.likeness.share >= ALIKE_FROM
}

/** Gathers the children of all nodes that fall to one position. */
export function gather(place: Place, evidence: readonly EvidenceNode[], clusters: AnswerClusters): Position {
  const byToken = new Map<string, Kid>()
  const strong: EvidenceNode[] = []
  let strongValues = 0
  for (const { children } of evidence) {
    for (const child of children) {
      if (child.values !== null) {
        strong.push(child)
        strongValues += child.values.size
        continue
      }
      const kid = byToken.get(child.token)
      if (kid === undefined) byToken.set(child.token, makeKid(child))
      else {
        kid.nodes.push(child)
        kid.count += child.count
        kid.weight += child.weight
        kid.hasVersions ||= leadsToVersions(child)
        kid.callerMark = leastMark(kid.callerMark, child.callerMark)
      }
    }
  }
  const kids = [...byToken.values()]
  if (evidence.length > 1) kids.sort((a, b) => (a.token < b.token ? -1 : 1))
  const judged = kids.filter(
    (kid) => kid.lexeme.kind !== 'reserved' && !isVersion(kid.token, place.literalName, false),
  )
  if (judged.length + strong.length > 1) {
    const likeness = likenessOf(judged, strong, clusters)
    for (const [i, kid] of judged.entries()) kid.likeness = likeness[i]!
  } else for (const kid of judged) kid.likeness = NOTHING_KNOWN
  return { ...place, evidence, kids, strong, strongValues }
}

const NOTHING_KNOWN: Likeness = { share: 0, information: 0, sharedLeaves: 0, sharedTokens: 0 }

function leadsToVersions({ children }: EvidenceNode): boolean {
  for (const { token } of children) if (isVersion(token, '', false)) return true
  return false
}

function makeKid(node: EvidenceNode): Kid {
  return {
    token: node.token,
    nodes: [node],
    count: node.count,
    weight: node.weight,
    lexeme: lexemeOf(node.token),
    hasVersions: leadsToVersions(node),
    callerMark: node.callerMark,
    likeness: null,
  }
}
