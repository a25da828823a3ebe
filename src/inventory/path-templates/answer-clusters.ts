import { type EvidenceNode, type Leaf, sortedChildren } from './evidence-trie.ts'
import { type KeyShape, uniteShapes } from './key-shape.ts'

/** Answers are of one kind when the cosine of their key names is at least this; optional keys may be missing. */
const ALIKE = 0.6
/** A fit this good is taken without looking further. */
const MAX_KEYS = 96

/** Group of answers with alike key names. */
interface Cluster {
  id: number
  /** Key hash → number of members that have it. */
  keys: Map<number, number>
  squares: number
}

/**
 * Gives every leaf the number of its group of alike answers. Answers without keys are grouped by status and media
 * type. Leaves are visited in the order of their paths, so the grouping is the same for the same evidence.
 *
 * @returns the cluster numbers below which answers have keys; the others carry little weight
 */
export class AnswerClusters {
  readonly #byKey = new Map<number, Cluster[]>()
  readonly #empty = new Map<string, number>()
  readonly #isEmpty: boolean[] = []

  get size(): number {
    return this.#isEmpty.length
  }

  /** True for a cluster of answers without keys. */
  isEmpty(cluster: number): boolean {
    return this.#isEmpty[cluster] === true
  }

  /** Places all leaves, those with the most keys first: they show a kind of answer most completely. */
  placeAll(nodes: readonly EvidenceNode[]): void {
    const leaves: { leaf: Leaf; shape: KeyShape }[] = []
    for (const node of nodes) {
      if (!node.leaves) continue
      node.leaves.sort((a, b) => a.method - b.method)
      for (const leaf of node.leaves) leaves.push({ leaf, shape: shapeOfLeaf(leaf) })
    }
    leaves.sort((a, b) => b.shape.length - a.shape.length)
    for (const { leaf, shape } of leaves) leaf.cluster = this.#clusterOf(leaf, shape)
  }

  #clusterOf(leaf: Leaf, shape: KeyShape): number {
    if (shape.length === 0) return this.#emptyCluster(answerKind(leaf))
    const found = this.#nearest(shape)
    const cluster = found ?? { id: this.#isEmpty.push(false) - 1, keys: new Map<number, number>(), squares: 0 }
    this.#join(cluster, shape)
    return cluster.id
  }

  #emptyCluster(kind: string): number {
    const known = this.#empty.get(kind)
    if (known !== undefined) return known
    const id = this.#isEmpty.push(true) - 1
    this.#empty.set(kind, id)
    return id
  }

  #nearest(shape: KeyShape): Cluster | null {
    const products = new Map<Cluster, number>()
    for (const key of shape) {
      for (const cluster of this.#byKey.get(key) ?? []) {
        products.set(cluster, (products.get(cluster) ?? 0) + cluster.keys.get(key)!)
      }
    }
    let best: Cluster | null = null
    let bestFit = ALIKE
    const length = Math.sqrt(shape.length)
    for (const [cluster, product] of products) {
      const fit = product / (length * Math.sqrt(cluster.squares))
      if (fit > bestFit || (fit === bestFit && best !== null && cluster.id < best.id)) {
        best = cluster
        bestFit = fit
      }
    }
    return best
  }

  #join(cluster: Cluster, shape: KeyShape): void {
    for (const key of shape) {
      const count = cluster.keys.get(key) ?? 0
      if (count === 0) {
        const list = this.#byKey.get(key)
        if (list) list.push(cluster)
        else this.#byKey.set(key, [cluster])
      }
      cluster.keys.set(key, count + 1)
      cluster.squares += 2 * count + 1
    }
  }
}

/** All nodes, parents before children, in the order of their paths. */
export function nodesInOrder(root: EvidenceNode): EvidenceNode[] {
  const nodes = [root]
  for (let i = 0; i < nodes.length; i++) nodes.push(...sortedChildren(nodes[i]!))
  return nodes
}

function shapeOfLeaf(leaf: Leaf): KeyShape {
  let shape: KeyShape = []
  for (const observation of leaf.observations) shape = uniteShapes(shape, observation.shape, MAX_KEYS)
  return shape
}

/** Status and media type of an answer without keys. */
function answerKind(leaf: Leaf): string {
  let status = 0
  let mediaType = ''
  for (const observation of leaf.observations) {
    if (status === 0 || (observation.status !== 0 && observation.status < status)) status = observation.status
    if (mediaType === '' || observation.mediaType < mediaType) mediaType = observation.mediaType
  }
  return `${status} ${mediaType}`
}
