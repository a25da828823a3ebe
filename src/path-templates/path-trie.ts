import { Evaluation } from './evaluation.ts'
import { explainTemplate, type TemplateExplanation } from './explain.ts'
import { type KeySet, KeyShapes } from './key-shape.ts'
import { DEFAULT_LIMITS, type TrieLimits } from './limits.ts'
import { Observation, tellsOfResource } from './observation.ts'
import { cover, thinOut } from './retention.ts'
import { Rulebook } from './rulebook.ts'
import { joinSegments, parseTemplate, shapeText } from './template.ts'
import { type Endpoint, type TemplateNode, TemplateTree } from './template-tree.ts'
import type { ParamType } from './token-form.ts'
import { packObservation, packTemplate, type TrieSnapshot, unpackObservation } from './trie-snapshot.ts'

/** Where a path belongs now. */
export interface Resolution {
  /** Wire text, for example `/users/INTEGER/orders`. */
  template: string
  isTemplate: boolean
  params: readonly { index: number; type: ParamType; value: string }[]
}

/** An endpoint whose template changed: at a fold several `from` share a `to`, at a split the reverse. */
export interface TemplateMove {
  method: string
  from: string
  to: string
}

/** A retained path, the template it stands at now, and what was counted of it. */
interface StandingPath {
  method: string
  path: string
  template: string
  count: number
  /** Seconds. */
  firstSeen: number
  lastSeen: number
}

/** What an answer tells about the resource. */
interface ObservedAnswer {
  status: number
  /** '' when unknown. */
  mediaType: string
  keys: KeySet
  /** What the caller is called, by the credential of the request. */
  callerNames?: readonly string[]
  /** Seconds. */
  at: number
}

export interface ObservedExchange extends ObservedAnswer {
  method: string
  /** Normalised path, see {@link normalisePath}. */
  path: string
  /** Template that the framework reported (`http.route`). */
  route?: string
}

/** The place of a path in the evidence: what is retained of it, or why nothing is; opaque, see {@link PathTrie.standingOf}. */
export type PathStanding = Pick<Observation, 'isRetained'>

/** What {@link PathTrie.find} found. */
interface FoundPath {
  readonly key: string
  /** What is retained of it; opaque. */
  readonly observation: Observation | null
  readonly segments: readonly string[]
  /** Where it stands, or would stand if it were observed as things are. */
  readonly node: TemplateNode | null
  /** Something like it was observed or stated. */
  readonly isKnown: boolean
}

/** New observations before an evaluation is worth it, as a share of those retained. */
const DIRTY_SHARE = 0.35
const DIRTY_LEAST = 8
/** The same once observations had to be refused for want of room. */
const DIRTY_WHEN_FULL = 500
/** Observations placed between two pauses. */
const PLACED_AT_ONCE = 512
/** Bytes of an observation without its keys, and of a node, measured on a 64-bit engine. */
const OBSERVATION_BYTES = 360
const NODE_BYTES = 240

/**
 * The path templates of one API, learned from what is observed. Holds bounded evidence; templates are a view of it,
 * so that the order of arrival does not matter and every merge can be undone.
 */
export class PathTrie {
  readonly #limits: TrieLimits
  readonly #shapes: KeyShapes
  #rules = new Rulebook()
  #observations = new Map<string, Observation>()
  #endpointOf = new Map<Observation, Endpoint>()
  #tree = new TemplateTree()
  #fresh = 0
  #hasNewRules = false
  /** Observations that found no place since the last evaluation. */
  #isFull = false
  /** Observations that had a place after the last evaluation. */
  #room: number
  /** Observed segments per node of the evidence, from the last evaluation. */
  #segmentsPerNode = 1
  #segments = 0
  readonly #routes = new Set<string>()
  /** Stands for paths that were not wanted; another one after each evaluation, when they may be. */
  #unwanted: PathStanding = { isRetained: false }

  constructor(options: Partial<TrieLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...options }
    this.#shapes = new KeyShapes(this.#limits.maxKeys)
    this.#room = this.#limits.maxObservations
  }

  /** Looks a path up without learning it; what is found holds until something is learned. */
  find(method: string, path: string): FoundPath {
    const key = `${method} ${path}`
    const observation = this.#observations.get(key)
    if (observation !== undefined) {
      const { node } = this.#endpointOf.get(observation)!
      return { key, observation, segments: observation.segments, node, isKnown: true }
    }
    const segments = this.#rules.segmentsOf(path)
    const node = this.#tree.find(method, segments)
    const isKnown = node !== null && !this.#rules.isSplit(node.shape, method)
    return { key, observation: null, segments, node, isKnown }
  }

  /**
   * Learns one exchange and tells the endpoint it belongs to now.
   *
   * @param found what {@link find} gave for its method and path, if nothing was learned since
   */
  observe(exchange: ObservedExchange, found = this.find(exchange.method, exchange.path)): Resolution {
    const { method, path } = exchange
    let { observation, node: known } = found
    const { key, segments } = found
    if (exchange.route !== undefined && this.#noteRoute(exchange.route))
      known = this.#tree.find(method, segments)
    if (observation === null) {
      observation = new Observation(method, path, segments, exchange.at)
      const node = this.#locate(method, observation.segments, known)
      if (node === null) return literalResolution(path)
      const endpoint = this.#tree.endpoint(node, method)
      if (!this.#isWanted(observation, endpoint)) return resolutionOf(node, observation.segments)
      this.#retain(key, observation, endpoint)
      this.#fresh++
    }
    this.#add(observation, exchange)
    return resolutionOf(this.#endpointOf.get(observation)!.node, observation.segments)
  }

  /** Where a method and path stand that were observed, to spare {@link observe} the search when they come again. */
  standingOf(method: string, path: string): PathStanding {
    return this.#observations.get(`${method} ${path}`) ?? this.#unwanted
  }

  /**
   * Learns one more exchange of a path that stands so; false, and nothing is learned, when that has changed. A path that
   * was not wanted is not until the next evaluation: values of parameters and observations only become more before.
   */
  observeAgain(standing: PathStanding, answer: ObservedAnswer): boolean {
    if (standing === this.#unwanted) return true
    const observation = standing as Observation
    if (observation.isRetained) this.#add(observation, answer)
    return observation.isRetained
  }

  /** The retained paths. */
  *standing(): Iterable<StandingPath> {
    for (const observation of this.#observations.values()) {
      const { method, path, count, firstSeen, lastSeen } = observation
      const template = this.#endpointOf.get(observation)!.node.text
      yield { method, path, template, count, firstSeen, lastSeen }
    }
  }

  /** Where a path belongs, without learning; null when nothing like it was observed or stated. */
  resolve(method: string, path: string): Resolution | null {
    const { node, segments, isKnown } = this.find(method, path)
    return isKnown ? resolutionOf(node!, segments) : null
  }

  /** True when so much changed that an evaluation is worth its cost. */
  get isDirty(): boolean {
    if (this.#hasNewRules) return true
    if (this.#fresh >= (this.#isFull ? DIRTY_WHEN_FULL : Number.POSITIVE_INFINITY)) return true
    return (
      this.#fresh >= Math.max(DIRTY_LEAST, Math.min(this.#observations.size * DIRTY_SHARE, this.#room * 0.8))
    )
  }

  /** True when an evaluation could change something at all: worth doing when there is nothing else to do. */
  get hasNews(): boolean {
    return this.#hasNewRules || this.#fresh > 0
  }

  /** Judges all evidence anew. */
  evaluate(): TemplateMove[] {
    const steps = this.evaluateInSteps()
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }

  /** The same in steps of a few milliseconds at most; exchanges may be observed between them. */
  *evaluateInSteps(): Generator<void, TemplateMove[]> {
    const evaluation = this.#evaluation()
    const observations = [...this.#observations.values()]
    this.#fresh = 0
    if (this.#hasNewRules) this.#splitAnew(observations)
    this.#hasNewRules = false
    yield* evaluation.steps(observations)
    this.#tree = evaluation.tree
    this.#unwanted = { isRetained: false }
    const segments = observations.reduce((sum, { segments }) => sum + segments.length, 0)
    this.#segmentsPerNode = Math.max(1, segments / evaluation.trie.size)
    return yield* this.#place()
  }

  /**
   * Takes a template apart: what was observed under it stands as literal endpoints again, and stays so. A merge that a
   * person stated before is taken back, and what the evidence says stands again.
   *
   * @param method null for all methods
   */
  split(method: string | null, template: string): TemplateMove[] {
    const { segments } = parseTemplate(template)
    const shape = shapeText(segments)
    if (this.#rules.takeBack(shape)) {
      this.#hasNewRules = true
      const moves = this.evaluate()
      if (moves.length > 0) return moves
    }
    if (!this.#stands(method, shape)) return []
    this.#rules.split(shape, method)
    return this.evaluate()
  }

  /** States a template; a split of it is taken back. `by` names the person. */
  merge(template: string, by = ''): TemplateMove[] {
    const rule = this.#rules.state(template, 'person', by)
    this.#hasNewRules = true
    return rule.segments.some(({ kind }) => kind === 'param') ? this.evaluate() : []
  }

  /** States that a path is an endpoint, not a value of a parameter. */
  pinLiteral(path: string): TemplateMove[] {
    this.#rules.pin(path)
    return this.evaluate()
  }

  /** States a template known from a framework or a document (`by`); it counts from the next evaluation on. */
  declareRoute(template: string, by = ''): void {
    const rule = this.#rules.state(template, 'route', by)
    this.#tree.declare(rule.segments)
    this.#hasNewRules = true
  }

  /** Why a template is one: an evaluation is done for it, which costs what {@link evaluate} costs. */
  explain(template: string): TemplateExplanation | null {
    const shape = shapeText(parseTemplate(template).segments)
    const evaluation = this.#evaluation()
    const steps = evaluation.steps([...this.#observations.values()])
    while (!steps.next().done);
    const observed = [...this.#observations.values()].filter(
      (observation) => this.#endpointOf.get(observation)!.node.shape === shape,
    )
    return explainTemplate(shape, evaluation, this.#rules, observed)
  }

  /**
   * Adds what another trie of the same API retained, counts and all.
   *
   * @param isShared both may have counted the same calls: the greater count stays, and stated routes are taken over
   */
  absorb(snapshot: TrieSnapshot, isShared = false): void {
    if (isShared && this.#rules.takeRoutes(snapshot.rules)) this.#hasNewRules = true
    for (const packed of snapshot.observations) {
      const key = `${packed.method} ${packed.path}`
      const other = unpackObservation(packed, this.#rules.segmentsOf(packed.path))
      const known = this.#observations.get(key)
      if (known === undefined || !isShared) this.#fresh++
      if (known !== undefined) {
        const count = isShared ? Math.max(0, other.count - known.count) : other.count
        known.add(count, other.firstSeen, other.lastSeen)
        known.addAnswer(other.status, other.mediaType, other.shape, this.#limits.maxKeys)
        if (other.callerMark !== null) known.addCallerSegments(other.callerSegments, other.callerMark)
        continue
      }
      const node = this.#locate(packed.method, other.segments)
      if (node === null) continue
      const endpoint = this.#tree.endpoint(node, packed.method)
      if (this.#isWanted(other, endpoint)) this.#retain(key, other, endpoint)
    }
  }

  snapshot(): TrieSnapshot {
    const nodes = this.#tree.ends()
    const index = new Map(nodes.map((node, i) => [node, i]))
    return {
      version: 1,
      observations: [...this.#observations.values()].map((observation) =>
        packObservation(observation, index.get(this.#endpointOf.get(observation)!.node)!),
      ),
      templates: nodes.map(packTemplate),
      rules: this.#rules.snapshot(),
      fresh: this.#fresh,
      segmentsPerNode: this.#segmentsPerNode,
    }
  }

  static restore(snapshot: TrieSnapshot, options: Partial<TrieLimits> = {}): PathTrie {
    const trie = new PathTrie(options)
    trie.#rules = Rulebook.restore(snapshot.rules)
    trie.#segmentsPerNode = snapshot.segmentsPerNode
    const nodes = snapshot.templates.map((template) => {
      const node = trie.#tree.insertTemplate(template.segments)
      node.isStated = template.isStated
      for (const { method, rankLimit } of template.endpoints) {
        trie.#tree.endpoint(node, method).rankLimit = rankLimit ?? Number.POSITIVE_INFINITY
      }
      return node
    })
    for (const packed of snapshot.observations) {
      const observation = unpackObservation(packed, trie.#rules.segmentsOf(packed.path))
      const endpoint = trie.#tree.endpoint(nodes[packed.template]!, packed.method)
      cover(observation, endpoint.node)
      trie.#retain(`${packed.method} ${packed.path}`, observation, endpoint)
    }
    trie.#fresh = snapshot.fresh
    trie.#room = trie.#limits.maxObservations - trie.#observations.size + trie.#fresh
    return trie
  }

  get size(): { nodes: number; observations: number; statedTemplates: number; bytesEstimate: number } {
    const nodes = Math.max(this.#tree.size, Math.ceil(this.#segments / this.#segmentsPerNode))
    const observations = this.#observations.size
    const bytesEstimate =
      observations * (OBSERVATION_BYTES + 8 * this.#limits.maxKeys) + (this.#tree.size + nodes) * NODE_BYTES
    return { nodes, observations, statedTemplates: this.#rules.size, bytesEstimate }
  }

  #add(observation: Observation, answer: ObservedAnswer): void {
    const { status, at } = answer
    observation.add(1, at, at)
    // Keys that nobody needs are not read.
    if (!tellsOfResource(status)) return
    if (observation.mayNameCaller && observation.addCaller(answer.callerNames ?? [])) this.#fresh++
    observation.addAnswer(status, answer.mediaType, this.#shapes.shapeOf(answer.keys), this.#limits.maxKeys)
  }

  #evaluation(): Evaluation {
    return new Evaluation(this.#rules, this.#limits)
  }

  /** True when the route was not known. */
  #noteRoute(route: string): boolean {
    if (this.#routes.has(route) || this.#routes.size >= this.#limits.maxNodes / 10) return false
    this.#routes.add(route)
    this.declareRoute(route, 'ROUTE')
    return true
  }

  /** Stated templates decide whether an ending belongs to the value before it. */
  #splitAnew(observations: readonly Observation[]): void {
    for (const observation of observations) {
      const segments = this.#rules.segmentsOf(observation.path)
      if (segments.length === observation.segments.length) continue
      this.#segments += segments.length - observation.segments.length
      observation.segments = segments
    }
  }

  #retain(key: string, observation: Observation, endpoint: Endpoint): void {
    observation.isRetained = true
    this.#observations.set(key, observation)
    this.#endpointOf.set(observation, endpoint)
    this.#segments += observation.segments.length
  }

  /**
   * The node a path ends at, made when it is missing; null when there is no room for one.
   *
   * @param found where the tree has it
   */
  #locate(
    method: string,
    segments: readonly string[],
    found = this.#tree.find(method, segments),
  ): TemplateNode | null {
    const isSplit = found !== null && this.#rules.isSplit(found.shape, method)
    if (found !== null && !isSplit) return found
    if (this.#tree.size + segments.length > this.#limits.maxNodes) return found
    if (isSplit) return this.#tree.insertLiteral(segments)
    // The first path after a split finds no node, and would otherwise make the template that was split anew.
    const node = this.#tree.insert(segments)
    return this.#rules.isSplit(node.shape, method) ? this.#tree.insertLiteral(segments) : node
  }

  /** An observation is worth keeping when its rank is small, or a value in it has hardly been seen. */
  #isWanted(observation: Observation, endpoint: Endpoint): boolean {
    const hasRoom =
      this.#observations.size < this.#limits.maxObservations &&
      this.#segments / this.#segmentsPerNode < this.#limits.maxNodes
    if (!hasRoom) {
      this.#isFull = true
      return false
    }
    return observation.rank <= endpoint.rankLimit || cover(observation, endpoint.node)
  }

  /** True when the template is in force for the method. */
  #stands(method: string | null, shape: string): boolean {
    for (const endpoint of this.#endpointOf.values()) {
      if (endpoint.node.shape === shape && (method === null || endpoint.method === method)) return true
    }
    return false
  }

  /** Finds the endpoints of all observations in the new tree and thins out what is settled. */
  *#place(): Generator<void, TemplateMove[]> {
    const moves = new Map<string, TemplateMove>()
    const byEndpoint = new Map<Endpoint, Observation[]>()
    const previous = this.#endpointOf
    this.#endpointOf = new Map(previous)
    // What is observed between two steps finds its place in the new tree on its own.
    for (const [i, observation] of [...this.#observations.values()].entries()) {
      if (i % PLACED_AT_ONCE === 0) yield
      const { method, segments } = observation
      const before = previous.get(observation)!.node.text
      const node = this.#locate(method, segments) ?? this.#tree.insertLiteral(segments)
      const endpoint = this.#tree.endpoint(node, method)
      if (before !== node.text)
        moves.set(`${method} ${before} ${node.text}`, { method, from: before, to: node.text })
      this.#endpointOf.set(observation, endpoint)
      const list = byEndpoint.get(endpoint)
      if (list) list.push(observation)
      else byEndpoint.set(endpoint, [observation])
    }
    yield
    const isProtected = ({ node }: Endpoint) => this.#rules.isStatedByPerson(node.shape)
    for (const observation of yield* thinOut(byEndpoint, this.#limits, this.#segmentsPerNode, isProtected)) {
      observation.isRetained = false
      this.#observations.delete(`${observation.method} ${observation.path}`)
      this.#endpointOf.delete(observation)
      this.#segments -= observation.segments.length
    }
    this.#isFull = false
    this.#unwanted = { isRetained: false }
    this.#room = this.#limits.maxObservations - this.#observations.size
    return [...moves.values()]
  }
}

function literalResolution(path: string): Resolution {
  return { template: path, isTemplate: false, params: [] }
}

function resolutionOf(node: TemplateNode, values: readonly string[]): Resolution {
  if (node.paramCount === 0) return literalResolution(node.text)
  const params: { index: number; type: ParamType; value: string }[] = []
  for (let at: TemplateNode | null = node; at?.segment; at = at.parent) {
    if (at.segment.kind !== 'param') continue
    const index = at.depth - 1
    const value = at.isTail ? joinSegments(values.slice(index)) : values[index]!
    params.push({ index, type: at.segment.type, value })
  }
  return { template: node.text, isTemplate: true, params: params.reverse() }
}
