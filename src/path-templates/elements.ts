import type { AnswerClusters } from './answer-clusters.ts'
import { type EvidenceNode, STRONG_TYPES } from './evidence-trie.ts'
import { lexemeOf } from './lexicon.ts'
import { isEndingSegment } from './path-suffix.ts'

/**
 * Elements describe what lies below a node, by relative depth: kinds of answers, tokens, presence of strong values.
 * Two children that stand for values of one parameter share them; two static siblings seldom do. One element is one
 * integer: id, depth, kind.
 */
type Element = number

export const LEAF = 0
export const TOKEN = 1
const STRONG = 2
/** A token that reads like a value: siblings that share it need not have it as a name of the interface. */
export const LIKE_VALUE = 3
const MAX_DEPTH = 5
/** Beyond, a node is a whole area of the API and never a value. */
const MAX_ELEMENTS = 400
const METHODS = 16

export const kindOfElement = (element: Element): number => element & 3
const depthOfElement = (element: Element): number => (element >> 2) & 7
const idOfElement = (element: Element): number => element >> 5
const shiftedDown = (element: Element): Element => element + 4

function clusterOfLeafElement(element: Element): number {
  return Math.floor(idOfElement(element) / METHODS)
}

/** Collects elements bottom-up; `nodes` lists parents before children. */
export class ElementCollector {
  readonly #tokens = new Map<string, number>()

  /** Computes the elements of a node whose children are done. */
  collect(node: EvidenceNode): void {
    const found = new Map<Element, number>()
    for (const leaf of node.leaves ?? []) {
      found.set(((leaf.cluster * METHODS + Math.min(leaf.method, METHODS - 1)) << 5) | LEAF, leaf.weight)
    }
    for (const child of node.children) {
      if (found.size >= MAX_ELEMENTS) break
      // What an ending is asked for is the node itself: names of files do not look alike because of it.
      const isEnding = isEndingSegment(child.token)
      if (!isEnding) found.set((this.#idOf(child) << 5) | (1 << 2) | kindOf(child), child.weight)
      for (let i = 0; i < child.elements.length; i++) {
        const element = child.elements[i]!
        if (depthOfElement(element) >= MAX_DEPTH) continue
        const shifted = isEnding ? element : shiftedDown(element)
        found.set(shifted, (found.get(shifted) ?? 0) + child.elementWeights[i]!)
        if (found.size >= MAX_ELEMENTS) break
      }
    }
    node.elements = [...found.keys()]
    node.elementWeights = [...found.values()]
  }

  #idOf(child: EvidenceNode): number {
    if (child.values) return STRONG_TYPES.indexOf(child.token as (typeof STRONG_TYPES)[number])
    const known = this.#tokens.get(child.token)
    if (known !== undefined) return known
    const id = this.#tokens.size
    this.#tokens.set(child.token, id)
    return id
  }
}

function kindOf(child: EvidenceNode): number {
  if (child.values) return STRONG
  return lexemeOf(child.token).weight > 0 ? LIKE_VALUE : TOKEN
}

/** How much an element says when a sibling has it too. */
export function weightOf(element: Element, clusters: AnswerClusters): number {
  if (kindOfElement(element) !== LEAF) return 1
  const weight = depthOfElement(element) === 0 ? 3 : 1
  return clusters.isEmpty(clusterOfLeafElement(element)) ? weight * 0.4 : weight
}
