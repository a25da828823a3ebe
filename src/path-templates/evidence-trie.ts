import { leastMark, type Observation } from './observation.ts'
import { isLastValue } from './path-suffix.ts'
import { isVersion, type ParamType, strongType } from './token-form.ts'

/** Observations of one method that end at the same node: same path up to strong tokens. */
export interface Leaf {
  method: number
  observations: Observation[]
  count: number
  weight: number
  /** Group of alike answers, from {@link clusterLeaves}; -1 before. */
  cluster: number
}

/** A node of the evidence: one exact token, or all strong tokens of one type, under one exact parent. */
export class EvidenceNode {
  readonly token: string
  readonly parent: EvidenceNode | null
  kids: Map<string, EvidenceNode> | null = null
  /** Children made of strong tokens, by index of {@link STRONG_TYPES}. */
  strong: (EvidenceNode | undefined)[] | null = null
  leaves: Leaf[] | null = null
  /** Requests that came through. */
  count = 0
  /** Distinct tokens of a strong node, as far as they are distinguished. */
  values: Set<string> | null = null
  /** Damped requests: distinct observations count more than repeated ones. */
  weight = 0
  /** The smallest mark of a caller whose name its token was; null when no caller is called so. */
  callerMark: number | null = null
  /** Elements of the subtree, with the damped requests that showed each. */
  elements: readonly number[] = NO_ELEMENTS
  elementWeights: readonly number[] = NO_ELEMENTS
  /** Children in an order that does not depend on arrival, from {@link nodesInOrder}. */
  children: readonly EvidenceNode[] = NO_CHILDREN

  constructor(token: string, parent: EvidenceNode | null) {
    this.token = token
    this.parent = parent
  }
}

const NO_ELEMENTS: readonly number[] = []
const NO_CHILDREN: readonly EvidenceNode[] = []

export const STRONG_TYPES: readonly ParamType[] = ['INTEGER', 'FLOAT', 'OBJECT_ID', 'STRING']
/** Distinct values of a strong node counted exactly up to here. */
const MAX_COUNTED_VALUES = 64

/** Methods as small numbers, in order of first use. */
class MethodTable {
  readonly names: string[] = []
  readonly #ids = new Map<string, number>()

  idOf(method: string): number {
    const known = this.#ids.get(method)
    if (known !== undefined) return known
    const id = this.names.length
    this.names.push(method)
    this.#ids.set(method, id)
    return id
  }
}

/** The tree of everything observed, built anew for each evaluation. */
export class EvidenceTrie {
  readonly root = new EvidenceNode('', null)
  readonly methods = new MethodTable()
  readonly #keepsApart: (token: string) => boolean
  size = 1

  /** @param keepsApart tokens that get their own node even if they are strong */
  constructor(keepsApart: (token: string) => boolean) {
    this.#keepsApart = keepsApart
  }

  add(observation: Observation): void {
    const { segments, count, callerSegments, callerMark } = observation
    const weight = dampedCount(count)
    let node = this.root
    node.count += count
    node.weight += weight
    for (let i = 0; i < segments.length; i++) {
      node = this.#child(node, segments[i]!, i === 0 ? '' : segments[i - 1]!, isLastValue(segments, i))
      node.count += count
      node.weight += weight
      if ((callerSegments & (1 << i)) !== 0 && i < 31)
        node.callerMark = leastMark(node.callerMark, callerMark)
    }
    this.#addLeaf(node, observation)
  }

  #child(node: EvidenceNode, token: string, before: string, isLast: boolean): EvidenceNode {
    const known = node.kids?.get(token)
    if (known !== undefined) return known
    const type = isVersion(token, before, isLast) || this.#keepsApart(token) ? null : strongType(token)
    if (type === null) {
      const made = this.#make(token, node)
      node.kids ??= new Map()
      node.kids.set(token, made)
      return made
    }
    const slot = STRONG_TYPES.indexOf(type)
    node.strong ??= [undefined, undefined, undefined, undefined]
    let child = node.strong[slot]
    if (child === undefined) {
      child = this.#make(type, node)
      child.values = new Set()
      node.strong[slot] = child
    }
    if (child.values!.size < MAX_COUNTED_VALUES) child.values!.add(token)
    return child
  }

  #make(token: string, parent: EvidenceNode): EvidenceNode {
    this.size++
    return new EvidenceNode(token, parent)
  }

  #addLeaf(node: EvidenceNode, observation: Observation): void {
    const method = this.methods.idOf(observation.method)
    node.leaves ??= []
    const leaf = node.leaves.find((other) => other.method === method)
    if (leaf) {
      leaf.observations.push(observation)
      leaf.count += observation.count
      leaf.weight += dampedCount(observation.count)
      return
    }
    node.leaves.push({
      method,
      observations: [observation],
      count: observation.count,
      weight: dampedCount(observation.count),
      cluster: -1,
    })
  }
}

/**
 * Lists all nodes, parents before children, in the order of their paths: strong children by type, then tokens by text.
 * Pauses after every `chunk` nodes.
 */
export function* nodesInOrder(
  root: EvidenceNode,
  nodes: EvidenceNode[],
  chunk: number,
): Generator<void, void> {
  nodes.push(root)
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    node.children = sortedChildren(node)
    for (const child of node.children) nodes.push(child)
    if (i % chunk === 0) yield
  }
}

function sortedChildren(node: EvidenceNode): readonly EvidenceNode[] {
  if (node.kids === null && node.strong === null) return NO_CHILDREN
  const kids = node.kids === null ? [] : [...node.kids.values()]
  if (kids.length > 1) kids.sort(byToken)
  if (node.strong === null) return kids
  const children: EvidenceNode[] = []
  for (const child of node.strong) if (child) children.push(child)
  for (const kid of kids) children.push(kid)
  return children
}

function byToken(a: EvidenceNode, b: EvidenceNode): number {
  return a.token < b.token ? -1 : a.token > b.token ? 1 : 0
}

/** A client that repeats one request says less than as many different requests. */
function dampedCount(count: number): number {
  return count <= 1 ? 1 : 1 + Math.log2(count)
}
