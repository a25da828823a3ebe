import { AnswerClusters } from './answer-clusters.ts'
import { ElementCollector } from './elements.ts'
import { type EvidenceNode, EvidenceTrie, nodesInOrder } from './evidence-trie.ts'
import { judge, type Verdict } from './judge.ts'
import type { Observation } from './observation.ts'
import { gather, type Place, type Position } from './position.ts'
import { PositionMemory } from './position-memory.ts'
import { type TemplateNode, TemplateTree } from './template-tree.ts'
import { isVersion, type ParamType } from './token-form.ts'

/** Passes over the tree: roles and known values of one feed the next. */
const MAX_PASSES = 4

/** Work to do: one template position with the evidence that falls to it. */
interface Pending {
  node: TemplateNode
  evidence: EvidenceNode[]
  literalName: string
  depth: number
}

/** One judgement of all evidence: a function of the observations, in steps, so that it can pause. */
export class Evaluation {
  readonly trie = new EvidenceTrie()
  readonly clusters = new AnswerClusters()
  #memory = new PositionMemory()
  tree = new TemplateTree()
  #positions = new Map<string, Position>()

  run(observations: Iterable<Observation>): void {
    for (const observation of observations) if (observation.status !== 0) this.trie.add(observation)
    const nodes = nodesInOrder(this.trie.root)
    this.clusters.placeAll(nodes)
    const collector = new ElementCollector()
    for (let i = nodes.length - 1; i >= 0; i--) collector.collect(nodes[i]!)
    for (let pass = 0; pass < MAX_PASSES; pass++) if (this.#pass()) break
  }

  /** The verdicts with their pieces of evidence, for reading. */
  *verdicts(): Iterable<[position: Position, verdicts: Verdict[]]> {
    for (const position of this.#positions.values()) yield [position, judge(position, this.#memory, true)]
  }

  /** True when nothing changed against the pass before. */
  #pass(): boolean {
    const found = new PositionMemory()
    const positions = new Map<string, Position>()
    this.tree = new TemplateTree()
    const work: Pending[] = [{ node: this.tree.root, evidence: [this.trie.root], literalName: '', depth: 0 }]
    for (let next = work.pop(); next !== undefined; next = work.pop()) this.#decide(next, found, positions, work)
    const isSame = found.equals(this.#memory)
    this.#memory = found
    this.#positions = positions
    return isSame
  }

  #decide(pending: Pending, found: PositionMemory, positions: Map<string, Position>, work: Pending[]): void {
    const { node, evidence, depth } = pending
    for (const { leaves } of evidence) {
      for (const leaf of leaves ?? []) this.tree.endpoint(node, this.trie.methods.names[leaf.method]!)
    }
    if (evidence.every(({ children }) => children.length === 0)) return
    const position = this.#position({ text: node.text, literalName: pending.literalName, depth }, evidence)
    positions.set(position.text, position)
    const { kids, strong } = position
    const folded = new Set<string>()
    for (const verdict of judge(position, this.#memory)) if (verdict.folded) folded.add(verdict.token)
    found.note(position.text, position.literalName, folded.size > 0 || strong.length > 0, folded)
    const values = [...strong]
    for (const kid of kids) {
      if (folded.has(kid.token)) {
        for (const value of kid.nodes) values.push(value)
        continue
      }
      const child = this.tree.addLiteral(node, kid.token)
      const isBase = depth === 0 && (isVersion(kid.token, position.literalName, false) || kid.token === 'api')
      work.push({ node: child, evidence: kid.nodes, literalName: kid.token, depth: isBase ? 0 : depth + 1 })
    }
    if (values.length === 0) return
    const child = this.tree.addParam(node, folded.size > 0 ? 'STRING' : commonType(strong))
    work.push({ node: child, evidence: values, literalName: '', depth: depth + 1 })
  }

  /** What was gathered in the pass before holds when the same evidence falls to the position. */
  #position(place: Place, evidence: EvidenceNode[]): Position {
    const known = this.#positions.get(place.text)
    if (known !== undefined && sameNodes(known.evidence, evidence)) return known
    return gather(place, evidence, this.clusters)
  }
}

function sameNodes(a: readonly EvidenceNode[], b: readonly EvidenceNode[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The wire type of strong values of several types. */
function commonType(strong: readonly EvidenceNode[]): ParamType {
  const types = new Set(strong.map((node) => node.token as ParamType))
  if (types.size === 1) return [...types][0]!
  if (types.size === 2 && types.has('INTEGER') && types.has('FLOAT')) return 'FLOAT'
  return 'STRING'
}
