import type { EvidenceNode, Leaf } from './evidence-trie.ts'
import { type KeyShape, uniteShapes } from './key-shape.ts'

/** Answers are of one kind when the cosine of their key names is at least this; optional keys may be missing. */
const ALIKE = 0.6
/** A fit this good is taken without looking further. */
const MAX_KEYS = 96

/** Group of answers with alike key names. */
interface Cluster {
  id: number
  /** Sum of the squares of how many members have each key. */
  squares: number
}

/** A key in a cluster, and how many members have it. */
interface Posting {
  cluster: Cluster
  count: number
}

/**
 * Gives every leaf the number of its group of alike answers. Answers without keys are grouped by status and media
 * type; they carry little weight. The grouping is the same for the same evidence.
 */
export class AnswerClusters {
  readonly #byKey = new Map<number, Posting[]>()
  readonly #empty = new Map<string, number>()
  readonly #isEmpty: boolean[] = []
  #products = new Float64Array(64)
  readonly #touched: Cluster[] = []

  get size(): number {
    return this.#isEmpty.length
  }

  /** True for a cluster of answers without keys. */
  isEmpty(cluster: number): boolean {
    return this.#isEmpty[cluster] === true
  }

  /** Places all leaves, those with the most keys first: they show a kind of answer most completely. Pauses. */
  *placeAll(nodes: readonly EvidenceNode[], chunk: number): Generator<void, void> {
    const bySize: { leaf: Leaf; shape: KeyShape }[][] = Array.from({ length: MAX_KEYS + 1 }, () => [])
    for (const [i, node] of nodes.entries()) {
      if (i % chunk === 0) yield
      if (!node.leaves) continue
      node.leaves.sort((a, b) => a.method - b.method)
      for (const leaf of node.leaves) {
        const shape = shapeOfLeaf(leaf)
        bySize[shape.length]!.push({ leaf, shape })
      }
    }
    let placed = 0
    for (const leaves of bySize.reverse()) {
      for (const { leaf, shape } of leaves) {
        leaf.cluster = this.#clusterOf(leaf, shape)
        if (++placed % chunk === 0) yield
      }
    }
  }

  #clusterOf(leaf: Leaf, shape: KeyShape): number {
    if (shape.length === 0) return this.#emptyCluster(answerKind(leaf))
    const cluster = this.#nearest(shape) ?? { id: this.#isEmpty.push(false) - 1, squares: 0 }
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
    if (this.#products.length < this.#isEmpty.length)
      this.#products = new Float64Array(this.#isEmpty.length * 2)
    const products = this.#products
    const touched = this.#touched
    touched.length = 0
    for (const key of shape) {
      for (const { cluster, count } of this.#byKey.get(key) ?? []) {
        if (products[cluster.id] === 0) touched.push(cluster)
        products[cluster.id]! += count
      }
    }
    let best: Cluster | null = null
    let bestFit = ALIKE
    const length = Math.sqrt(shape.length)
    for (const cluster of touched) {
      const fit = products[cluster.id]! / (length * Math.sqrt(cluster.squares))
      products[cluster.id] = 0
      if (fit > bestFit || (fit === bestFit && best !== null && cluster.id < best.id)) {
        best = cluster
        bestFit = fit
      }
    }
    return best
  }

  #join(cluster: Cluster, shape: KeyShape): void {
    for (const key of shape) {
      let postings = this.#byKey.get(key)
      if (postings === undefined) {
        postings = []
        this.#byKey.set(key, postings)
      }
      let posting = postings.find((one) => one.cluster === cluster)
      if (posting === undefined) {
        posting = { cluster, count: 0 }
        postings.push(posting)
      }
      cluster.squares += 2 * posting.count + 1
      posting.count++
    }
  }
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
