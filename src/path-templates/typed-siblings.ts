import type { AnswerClusters } from './answer-clusters.ts'
import type { EvidenceNode } from './evidence-trie.ts'

/** Requests and values of each side before they are distinguished. */
const MIN_NODES = 5
const MIN_COUNT = 10

/**
 * True when strong values (numbers) and words at one position lead to different things: for every method that both
 * have, the answers are of other kinds. Then they are two endpoints that differ by the type of the parameter.
 */
export function isOtherKind(
  strong: readonly EvidenceNode[],
  words: readonly EvidenceNode[],
  clusters: AnswerClusters,
): boolean {
  if (strong.length === 0 || words.length < MIN_NODES) return false
  const values = strong.reduce((sum, node) => sum + (node.values?.size ?? 0), 0)
  if (values < MIN_NODES || countOf(strong) < MIN_COUNT || countOf(words) < MIN_COUNT) return false
  const valueAnswers = answersOf(strong, clusters)
  const wordAnswers = answersOf(words, clusters)
  let compared = 0
  for (const [method, kinds] of valueAnswers) {
    const others = wordAnswers.get(method)
    if (others === undefined) continue
    compared++
    for (const kind of kinds) if (others.has(kind)) return false
  }
  return compared > 0 && !sharesTokens(strong, words)
}

function countOf(nodes: readonly EvidenceNode[]): number {
  return nodes.reduce((sum, node) => sum + node.count, 0)
}

/** Kinds of answers with keys, by method. */
function answersOf(nodes: readonly EvidenceNode[], clusters: AnswerClusters): Map<number, Set<number>> {
  const answers = new Map<number, Set<number>>()
  for (const { leaves } of nodes) {
    for (const { method, cluster } of leaves ?? []) {
      if (clusters.isEmpty(cluster)) continue
      const kinds = answers.get(method)
      if (kinds) kinds.add(cluster)
      else answers.set(method, new Set([cluster]))
    }
  }
  return answers
}

/** The same static segments follow after both: then they are the same things by other names. */
function sharesTokens(a: readonly EvidenceNode[], b: readonly EvidenceNode[]): boolean {
  const tokens = new Set<string>()
  for (const { kids } of a) for (const token of kids?.keys() ?? []) tokens.add(token)
  return b.some(({ kids }) => {
    for (const token of kids?.keys() ?? []) if (tokens.has(token)) return true
    return false
  })
}
