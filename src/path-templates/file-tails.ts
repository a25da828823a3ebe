import type { EvidenceNode } from './evidence-trie.ts'
import { lexemeOf } from './lexicon.ts'

/** A tail is proposed when files of one kind lie at this many different depths. */
const MIN_DEPTHS = 3
/** Share of everything below that must be files. */
const MIN_SHARE = 0.7
/** Share of the files from which a child is taken to be the folder itself. */
const FOLDER_SHARE = 0.9

interface Files {
  /** Bit n: a file lies n segments below. */
  depths: number
  weight: number
}

/** Finds folders: nodes below which files lie at many depths (`/files/a/b/c.txt`). */
export class FileTails {
  readonly #files = new Map<EvidenceNode, Files>()

  /** Pauses after every `chunk` nodes. @returns null when there is no file name in the evidence */
  static *find(nodes: readonly EvidenceNode[], chunk: number): Generator<void, FileTails | null> {
    const tails = new FileTails()
    for (let i = nodes.length - 1; i >= 0; i--) {
      tails.#collect(nodes[i]!)
      if (i % chunk === 0) yield
    }
    return tails.#files.size === 0 ? null : tails
  }

  #collect(node: EvidenceNode): void {
    let depths = 0
    let weight = 0
    if (node.leaves !== null && node.values === null && lexemeOf(node.token).kind === 'file') {
      depths = 1
      for (const leaf of node.leaves) weight += leaf.weight
    }
    for (const child of node.children) {
      const below = this.#files.get(child)
      if (below === undefined) continue
      depths |= (below.depths << 1) & 0x3fffffff
      weight += below.weight
    }
    if (weight > 0) this.#files.set(node, { depths, weight })
  }

  /** True when the position is a folder: its parameter takes all segments that follow. */
  startsAt(evidence: readonly EvidenceNode[], literalName: string): boolean {
    if (literalName === '') return false
    const all = this.#sum(evidence)
    const weight = evidence.reduce((sum, node) => sum + node.weight, 0)
    if (bits(all.depths & ~1) < MIN_DEPTHS || all.weight < MIN_SHARE * weight) return false
    // Files that all lie in one folder below belong to that folder.
    for (const node of evidence) {
      for (const child of node.children) {
        const below = this.#files.get(child)
        if (below && below.weight > FOLDER_SHARE * all.weight && bits(below.depths & ~1) >= MIN_DEPTHS)
          return false
      }
    }
    return true
  }

  leadsToFiles(nodes: readonly EvidenceNode[]): boolean {
    return nodes.some((node) => this.#files.has(node))
  }

  #sum(nodes: readonly EvidenceNode[]): Files {
    const sum = { depths: 0, weight: 0 }
    for (const node of nodes) {
      const files = this.#files.get(node)
      if (files === undefined) continue
      sum.depths |= files.depths
      sum.weight += files.weight
    }
    return sum
  }
}

function bits(mask: number): number {
  let count = 0
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1
  return count
}
