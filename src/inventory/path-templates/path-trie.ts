import { Evaluation } from './evaluation.ts'
import { type KeySet, KeyShapes } from './key-shape.ts'
import { DEFAULT_LIMITS, type TrieLimits } from './limits.ts'
import { Observation } from './observation.ts'
import { splitPath } from './template.ts'
import { type Endpoint, type TemplateNode, TemplateTree } from './template-tree.ts'
import { type ParamType, strongType } from './token-form.ts'

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

export interface ObservedExchange {
  method: string
  /** Normalised path. */
  path: string
  status: number
  mediaType: string
  keys: KeySet
  /** Seconds. */
  at: number
}

/** New observations before an evaluation is worth it, as a share of those retained. */
const DIRTY_SHARE = 0.25
const DIRTY_LEAST = 8
/** Share of the observations that thinning out leaves at most, so that there is room until the next evaluation. */
const KEPT_SHARE = 0.75
/** Every value of a parameter is kept in this many observations, for this many values. */
const COVERED_TIMES = 3
const COVERED_VALUES = 64

export class PathTrie {
  readonly #limits: TrieLimits
  readonly #shapes: KeyShapes
  #observations = new Map<string, Observation>()
  #endpointOf = new Map<Observation, Endpoint>()
  #tree = new TemplateTree()
  #fresh = 0
  last: Evaluation | null = null

  constructor(options: Partial<TrieLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...options }
    this.#shapes = new KeyShapes(this.#limits.maxKeys)
  }

  observe(exchange: ObservedExchange): Resolution {
    const key = `${exchange.method} ${exchange.path}`
    let observation = this.#observations.get(key)
    if (observation === undefined) {
      observation = new Observation(exchange.method, exchange.path, exchange.at)
      const node =
        this.#tree.find(exchange.method, observation.segments) ?? this.#tree.insert(observation.segments)
      const endpoint = this.#tree.endpoint(node, exchange.method)
      if (!this.#isWanted(observation, endpoint)) return resolutionOf(node, observation.segments)
      endpoint.retained++
      this.#observations.set(key, observation)
      this.#endpointOf.set(observation, endpoint)
      this.#fresh++
    }
    observation.add(1, exchange.at, exchange.at)
    observation.addAnswer(
      exchange.status,
      exchange.mediaType,
      this.#shapes.shapeOf(exchange.keys),
      this.#limits.maxKeys,
    )
    return resolutionOf(this.#endpointOf.get(observation)!.node, observation.segments)
  }

  resolve(method: string, path: string): Resolution | null {
    const segments = splitPath(path)
    const node = this.#tree.find(method, segments)
    return node === null ? null : resolutionOf(node, segments)
  }

  get isDirty(): boolean {
    return this.#fresh >= Math.max(DIRTY_LEAST, this.#observations.size * DIRTY_SHARE)
  }

  evaluate(): TemplateMove[] {
    const evaluation = new Evaluation()
    evaluation.run(this.#observations.values())
    this.last = evaluation
    this.#fresh = 0
    this.#tree = evaluation.tree
    return this.#place()
  }

  /** Finds the endpoints of all observations in the new tree and thins out what is settled. */
  #place(): TemplateMove[] {
    const moves = new Map<string, TemplateMove>()
    const byEndpoint = new Map<Endpoint, Observation[]>()
    for (const observation of this.#observations.values()) {
      const node =
        this.#tree.find(observation.method, observation.segments) ?? this.#tree.insert(observation.segments)
      const endpoint = this.#tree.endpoint(node, observation.method)
      const before = this.#endpointOf.get(observation)!.node.text
      if (before !== node.text) {
        moves.set(`${observation.method} ${before} ${node.text}`, {
          method: observation.method,
          from: before,
          to: node.text,
        })
      }
      this.#endpointOf.set(observation, endpoint)
      const list = byEndpoint.get(endpoint)
      if (list) list.push(observation)
      else byEndpoint.set(endpoint, [observation])
    }
    this.#thinOut(byEndpoint)
    return [...moves.values()]
  }

  /** An observation is worth keeping when its rank is small, or a value in it has hardly been seen. */
  #isWanted(observation: Observation, endpoint: Endpoint): boolean {
    if (this.#observations.size >= this.#limits.maxObservations) return false
    return observation.rank <= endpoint.rankLimit || cover(observation, endpoint.node)
  }

  #thinOut(byEndpoint: Map<Endpoint, Observation[]>): void {
    const { maxObservations, maxPerEndpoint } = this.#limits
    const sizes = [...byEndpoint.values()].map((list) => list.length)
    const most = fairShare(sizes, maxObservations * KEPT_SHARE, maxPerEndpoint)
    const surplus: { observation: Observation; endpoint: Endpoint }[] = []
    for (const [endpoint, list] of byEndpoint) {
      if (list.length > most) {
        list.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
        endpoint.rankLimit = list[most - 1]!.rank
      }
      for (const [i, observation] of list.entries()) {
        if (i < most) cover(observation, endpoint.node)
        else surplus.push({ observation, endpoint })
      }
    }
    surplus.sort((a, b) => a.observation.rank - b.observation.rank || (a.observation.path < b.observation.path ? -1 : 1))
    for (const { observation, endpoint } of surplus) {
      if (cover(observation, endpoint.node)) continue
      this.#observations.delete(`${observation.method} ${observation.path}`)
      this.#endpointOf.delete(observation)
    }
  }

  get size(): { nodes: number; observations: number; bytesEstimate: number } {
    return { nodes: this.#tree.size, observations: this.#observations.size, bytesEstimate: 0 }
  }
}

/** The greatest number per list so that all together stay within the budget. */
function fairShare(sizes: readonly number[], budget: number, most: number): number {
  let low = 1
  let high = most
  const total = (limit: number) => sizes.reduce((sum, size) => sum + Math.min(size, limit), 0)
  if (total(high) <= budget) return high
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (total(middle) <= budget) low = middle
    else high = middle - 1
  }
  return low
}

function resolutionOf(node: TemplateNode, values: readonly string[]): Resolution {
  const segments = node.segments
  const params: { index: number; type: ParamType; value: string }[] = []
  for (const [index, segment] of segments.entries()) {
    if (segment.kind !== 'param') continue
    const value = segment.isTail ? values.slice(index).join('/') : values[index]!
    params.push({ index, type: segment.type, value })
  }
  return { template: node.text, isTemplate: params.length > 0, params }
}

/** Counts the weak values of an observation at the parameters it goes through; true when one was hardly seen. */
function cover(observation: Observation, endpointNode: TemplateNode): boolean {
  let isNew = false
  let at = endpointNode.depth - 1
  for (let node: TemplateNode | null = endpointNode; node?.segment; node = node.parent, at--) {
    if (node.segment.kind === 'literal' || node.isTail) continue
    const token = observation.segments[at]!
    if (strongType(token) !== null) continue
    node.covered ??= new Map()
    const times = node.covered.get(token)
    if (times === undefined ? node.covered.size < COVERED_VALUES : times < COVERED_TIMES) {
      node.covered.set(token, (times ?? 0) + 1)
      isNew = true
    }
  }
  return isNew
}
