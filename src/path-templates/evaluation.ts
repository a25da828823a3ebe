import { AnswerClusters } from './answer-clusters.ts'
import { ElementCollector } from './elements.ts'
import { type EvidenceNode, EvidenceTrie, nodesInOrder } from './evidence-trie.ts'
import { FileTails } from './file-tails.ts'
import { judge, type Verdict } from './judge.ts'
import type { Observation } from './observation.ts'
import { gather, type Kid, type Place, type Position } from './position.ts'
import { PositionMemory } from './position-memory.ts'
import { alongLiteral, alongParam, type Cursor, claimsLiteral, fitsBelow, type Rulebook } from './rulebook.ts'
import { type TemplateNode, TemplateTree } from './template-tree.ts'
import { isVersion, type ParamType, strongType } from './token-form.ts'
import { isOtherKind } from './typed-siblings.ts'

/** Passes over the tree: roles and known values of one feed the next. */
const MAX_PASSES = 4
/** Steps between two pauses. */
const CHUNK = 256

/** Work to do: one template position with the evidence that falls to it. */
interface Pending {
  node: TemplateNode
  evidence: EvidenceNode[]
  literalName: string
  depth: number
  cursors: readonly Cursor[]
}

interface EvaluationLimits {
  maxNodes: number
  maxLiteralChildren: number
}

/**
 * One judgement of all evidence. The templates depend only on the observations and the rules: neither
 * arrival order nor earlier templates enter.
 */
export class Evaluation {
  readonly trie: EvidenceTrie
  readonly clusters = new AnswerClusters()
  readonly #rules: Rulebook
  readonly #limits: EvaluationLimits
  #tails: FileTails | null = null
  #memory = new PositionMemory()
  #positions = new Map<string, Position>()
  /** Positions where the budget folded what the evidence left open. */
  readonly foldedByBudget = new Set<string>()
  tree = new TemplateTree()

  constructor(rules: Rulebook, limits: EvaluationLimits) {
    this.#rules = rules
    this.#limits = limits
    this.trie = new EvidenceTrie((token) => rules.isPinnedToken(token))
  }

  /** Runs in steps; between two of them other work may go on. */
  *steps(observations: readonly Observation[]): Generator<void, void> {
    for (const [i, observation] of observations.entries()) {
      // Errors alone say nothing about what exists.
      if (observation.status !== 0 && this.trie.size < this.#limits.maxNodes) this.trie.add(observation)
      if (i % CHUNK === 0) yield
    }
    const nodes: EvidenceNode[] = []
    yield* nodesInOrder(this.trie.root, nodes, CHUNK * 8)
    yield* this.clusters.placeAll(nodes, CHUNK)
    const collector = new ElementCollector()
    for (let i = nodes.length - 1; i >= 0; i--) {
      collector.collect(nodes[i]!)
      if (i % CHUNK === 0) yield
    }
    this.#tails = yield* FileTails.find(nodes, CHUNK * 8)
    for (let pass = 0; pass < MAX_PASSES; pass++) if (yield* this.#pass()) break
    this.#placeRules()
  }

  /** The positions with their verdicts and the pieces of evidence, for reading. */
  *verdicts(): Iterable<[position: Position, verdicts: Verdict[]]> {
    for (const position of this.#positions.values()) yield [position, judge(position, this.#memory, true)]
  }

  /** True when nothing changed against the pass before. */
  *#pass(): Generator<void, boolean> {
    const found = new PositionMemory()
    const positions = new Map<string, Position>()
    this.tree = new TemplateTree()
    this.foldedByBudget.clear()
    const work: Pending[] = [
      {
        node: this.tree.root,
        evidence: [this.trie.root],
        literalName: '',
        depth: 0,
        cursors: this.#rules.start(),
      },
    ]
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      this.#decide(next, found, positions, work)
      yield
    }
    const isSame = found.equals(this.#memory)
    this.#memory = found
    this.#positions = positions
    return isSame
  }

  #decide(pending: Pending, found: PositionMemory, positions: Map<string, Position>, work: Pending[]): void {
    const { node, evidence, depth, cursors } = pending
    this.#addEndpoints(node, evidence)
    if (evidence.every(({ children }) => children.length === 0)) return
    const position = this.#position({ text: node.text, literalName: pending.literalName, depth }, evidence)
    positions.set(position.text, position)
    const folded = this.#foldedTokens(position, cursors)
    const { strong } = position
    found.note(position.text, position.literalName, folded.size > 0 || strong.length > 0, folded)
    const values: EvidenceNode[] = []
    const tail: EvidenceNode[] = []
    const isTailRoot = this.#tails?.startsAt(evidence, pending.literalName) === true
    for (const kid of position.kids) {
      if (isTailRoot && this.#tails!.leadsToFiles(kid.nodes)) tail.push(...kid.nodes)
      else if (folded.has(kid.token)) for (const value of kid.nodes) values.push(value)
      else this.#goLiteral(pending, kid, work)
    }
    if (tail.length > 0) this.#addTail(node, tail)
    this.#goParam(pending, strong, values, work)
  }

  #foldedTokens(position: Position, cursors: readonly Cursor[]): Set<string> {
    const folded = new Set<string>()
    const open: Verdict[] = []
    for (const verdict of judge(position, this.#memory)) {
      if (verdict.folded) folded.add(verdict.token)
      else open.push(verdict)
    }
    const params = cursors.length === 0 ? [] : alongParam(cursors).here
    for (const kid of position.kids) {
      if (claimsLiteral(cursors, kid.token)) folded.delete(kid.token)
      else if (strongType(kid.token) !== null && kid.likeness !== null) folded.add(kid.token)
      else if (kid.likeness !== null && params.some((c) => fitsBelow(kid.nodes, c.rule.segments, c.at + 1))) {
        folded.add(kid.token)
      }
    }
    this.#foldByBudget(position, open, folded)
    return folded
  }

  /** A node never has more than this many static children: those that are least like names go first. */
  #foldByBudget(position: Position, open: Verdict[], folded: Set<string>): void {
    const surplus = open.length - this.#limits.maxLiteralChildren
    if (surplus <= 0) return
    open.sort((a, b) => b.score - a.score || (a.token < b.token ? -1 : 1))
    for (const { token } of open.slice(0, surplus)) folded.add(token)
    this.foldedByBudget.add(position.text)
  }

  #goLiteral(pending: Pending, kid: Kid, work: Pending[]): void {
    const { node, depth, literalName, cursors } = pending
    const isBase =
      depth === 0 && (isVersion(kid.token, literalName, false) || kid.token.toLowerCase() === 'api')
    work.push({
      node: this.tree.addLiteral(node, kid.token),
      evidence: kid.nodes,
      literalName: kid.token,
      depth: isBase ? 0 : depth + 1,
      cursors: cursors.length === 0 ? cursors : alongLiteral(cursors, kid.token),
    })
  }

  #goParam(
    pending: Pending,
    strong: readonly EvidenceNode[],
    values: readonly EvidenceNode[],
    work: Pending[],
  ): void {
    if (strong.length === 0 && values.length === 0) return
    const { here, next } = alongParam(pending.cursors)
    const stated = here
      .map(({ rule, at }) => rule.segments[at]!)
      .find((s) => s.kind === 'param' && !s.isUntyped)
    const common = { literalName: '', depth: pending.depth + 1, cursors: next }
    if (stated?.kind !== 'param' && isOtherKind(strong, values, this.clusters)) {
      work.push({
        ...common,
        node: this.tree.addParam(pending.node, commonType(strong)),
        evidence: [...strong],
      })
      work.push({ ...common, node: this.tree.addParam(pending.node, 'STRING'), evidence: [...values] })
      return
    }
    const type = values.length > 0 ? 'STRING' : commonType(strong)
    const shown = stated?.kind === 'param' ? wider(stated.type, type) : type
    work.push({ ...common, node: this.tree.addParam(pending.node, shown), evidence: [...strong, ...values] })
  }

  #addTail(node: TemplateNode, evidence: readonly EvidenceNode[]): void {
    const child = this.tree.addParam(node, 'STRING', true)
    const stack = [...evidence]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      this.#addEndpoints(child, [next])
      for (const below of next.children) stack.push(below)
    }
  }

  #addEndpoints(node: TemplateNode, evidence: readonly EvidenceNode[]): void {
    for (const { leaves } of evidence) {
      if (leaves === null) continue
      for (const leaf of leaves) {
        const method = this.trie.methods.names[leaf.method]!
        if (!this.#rules.hasSplits || !this.#rules.isSplit(node.shape, method))
          this.tree.endpoint(node, method)
      }
    }
  }

  /** Stated templates stand even while nobody uses them. */
  #placeRules(): void {
    for (const rule of this.#rules.templates) this.tree.declare(rule.segments)
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

/** The stated type, unless values were seen that do not fit it. */
function wider(stated: ParamType, seen: ParamType): ParamType {
  if (stated === seen || stated === 'STRING') return stated
  return stated === 'FLOAT' && seen === 'INTEGER' ? 'FLOAT' : 'STRING'
}
