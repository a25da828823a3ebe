import { AnswerClusters, nodesInOrder } from './answer-clusters.ts'
import { ElementCollector } from './elements.ts'
import { type EvidenceNode, EvidenceTrie, STRONG_TYPES, sortedChildren } from './evidence-trie.ts'
import { judge, type Kid, type Position, type Verdict } from './judge.ts'
import type { Observation } from './observation.ts'
import { PositionMemory } from './position-memory.ts'
import { type TemplateNode, TemplateTree } from './template-tree.ts'
import { isVersion, type ParamType } from './token-form.ts'

/** Passes over the tree: roles and known values of one feed the next. */
const PASSES = 3

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
  /** Verdicts of the last pass by wire text of the position. */
  verdicts = new Map<string, Verdict[]>()

  run(observations: Iterable<Observation>): void {
    for (const observation of observations) if (observation.status !== 0) this.trie.add(observation)
    const nodes = nodesInOrder(this.trie.root)
    this.clusters.placeAll(nodes)
    const collector = new ElementCollector()
    for (let i = nodes.length - 1; i >= 0; i--) collector.collect(nodes[i]!, sortedChildren(nodes[i]!))
    for (let pass = 0; pass < PASSES; pass++) this.#pass()
  }

  #pass(): void {
    const found = new PositionMemory()
    this.tree = new TemplateTree()
    this.verdicts = new Map()
    const work: Pending[] = [{ node: this.tree.root, evidence: [this.trie.root], literalName: '', depth: 0 }]
    for (let next = work.pop(); next !== undefined; next = work.pop()) this.#decide(next, found, work)
    this.#memory = found
  }

  #decide(pending: Pending, found: PositionMemory, work: Pending[]): void {
    const { node, evidence } = pending
    for (const { leaves } of evidence) {
      for (const leaf of leaves ?? []) this.tree.endpoint(node, this.trie.methods.names[leaf.method]!)
    }
    const kids = kidsOf(evidence)
    const strong = strongOf(evidence)
    if (kids.length === 0 && strong.length === 0) return
    const position: Position = {
      text: node.text,
      kids: kids.filter((kid) => !isVersion(kid.token, pending.literalName, false)),
      strong,
      parents: evidence.length,
      literalName: pending.literalName,
      depth: pending.depth,
      isUnderParam: node.segment?.kind === 'param',
    }
    const verdicts = judge(position, this.clusters, this.#memory)
    if (verdicts.length > 0) this.verdicts.set(node.text, verdicts)
    const folded = new Set(verdicts.filter((verdict) => verdict.folded).map((verdict) => verdict.token))
    found.note(node.text, pending.literalName, folded.size > 0 || strong.length > 0, [...folded])
    for (const token of folded) found.noteFolded(node.text, token)
    const values = [...strong]
    for (const kid of kids) {
      if (folded.has(kid.token)) {
        values.push(...kid.nodes)
        continue
      }
      const child = this.tree.addLiteral(node, kid.token)
      const isBase =
        pending.depth === 0 && (isVersion(kid.token, pending.literalName, false) || kid.token === 'api')
      work.push({
        node: child,
        evidence: kid.nodes,
        literalName: kid.token,
        depth: isBase ? 0 : pending.depth + 1,
      })
    }
    if (values.length === 0) return
    const child = this.tree.addParam(node, folded.size > 0 ? 'STRING' : commonType(strong))
    work.push({ node: child, evidence: values, literalName: '', depth: pending.depth + 1 })
  }
}

function kidsOf(evidence: readonly EvidenceNode[]): Kid[] {
  const byToken = new Map<string, Kid>()
  for (const node of evidence) {
    if (!node.kids) continue
    for (const [token, child] of node.kids) {
      const kid = byToken.get(token)
      if (kid) {
        kid.nodes.push(child)
        kid.count += child.count
        kid.weight += child.weight
      } else byToken.set(token, { token, nodes: [child], count: child.count, weight: child.weight })
    }
  }
  return [...byToken.values()].sort((a, b) => (a.token < b.token ? -1 : 1))
}

function strongOf(evidence: readonly EvidenceNode[]): EvidenceNode[] {
  const strong: EvidenceNode[] = []
  for (const node of evidence) if (node.strong) for (const child of node.strong) if (child) strong.push(child)
  return strong
}

/** The wire type of strong values of several types. */
function commonType(strong: readonly EvidenceNode[]): ParamType {
  const types = new Set(strong.map((node) => node.token as ParamType))
  if (types.size === 1) return [...types][0]!
  if (types.size === 2 && types.has('INTEGER') && types.has('FLOAT')) return 'FLOAT'
  return 'STRING'
}

void STRONG_TYPES
