import type { TrieLimits } from './limits.ts'
import type { Observation } from './observation.ts'
import type { Endpoint, TemplateNode } from './template-tree.ts'
import { strongType } from './token-form.ts'

/** Share of the budgets that thinning out leaves at most, so that there is room until the next evaluation. */
const KEPT_SHARE = 0.6
/** Share of the observations that may stay beside, to show values that are in no other. */
const EXTRA_SHARE = 0.1
/** Every value of a parameter is kept in this many observations, for this many values. */
const COVERED_TIMES = 3
const COVERED_VALUES = 64
/** Observations looked at between two pauses. */
const DONE_AT_ONCE = 1024

/**
 * Chooses which observations of settled endpoints go: those with the greatest ranks, the same ones whatever the order
 * of arrival, but never the last ones that show a value. Sets the rank limits of the endpoints. Pauses.
 *
 * @param segmentsPerNode observed segments per node of the evidence, to keep within the nodes' budget
 */
export function* thinOut(
  byEndpoint: ReadonlyMap<Endpoint, Observation[]>,
  limits: TrieLimits,
  segmentsPerNode: number,
  isProtected: (endpoint: Endpoint) => boolean,
): Generator<void, Observation[]> {
  const most = fairShare(byEndpoint, limits, segmentsPerNode)
  yield
  const surplus: { observation: Observation; endpoint: Endpoint }[] = []
  let done = 0
  for (const [endpoint, list] of byEndpoint) {
    const isCut = list.length > most && !isProtected(endpoint)
    if (isCut) {
      list.sort(byRank)
      endpoint.rankLimit = list[most - 1]!.rank
    }
    for (const [i, observation] of list.entries()) {
      if (++done % DONE_AT_ONCE === 0) yield
      if (!isCut || i < most) cover(observation, endpoint.node)
      else surplus.push({ observation, endpoint })
    }
  }
  surplus.sort((a, b) => byRank(a.observation, b.observation))
  yield
  let extra = limits.maxObservations * EXTRA_SHARE
  const dropped: Observation[] = []
  for (const { observation, endpoint } of surplus) {
    if (++done % DONE_AT_ONCE === 0) yield
    if (extra > 0 && cover(observation, endpoint.node)) extra--
    else dropped.push(observation)
  }
  return dropped
}

/** Counts the weak values of an observation at the parameters it goes through; true when one was hardly seen. */
export function cover(observation: Observation, endpointNode: TemplateNode): boolean {
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

/** The greatest number of observations per endpoint so that all together stay within the budgets. */
function fairShare(
  byEndpoint: ReadonlyMap<Endpoint, Observation[]>,
  limits: TrieLimits,
  segmentsPerNode: number,
): number {
  const lists = [...byEndpoint.values()]
  const depths = lists.map((list) => list[0]!.segments.length)
  const fits = (limit: number) => {
    let observations = 0
    let nodes = 0
    for (const [i, list] of lists.entries()) {
      const kept = Math.min(list.length, limit)
      observations += kept
      nodes += (kept * depths[i]!) / segmentsPerNode
    }
    return observations <= limits.maxObservations * KEPT_SHARE && nodes <= limits.maxNodes * KEPT_SHARE
  }
  let low = 1
  let high = limits.maxPerEndpoint
  if (fits(high)) return high
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function byRank(a: Observation, b: Observation): number {
  return a.rank - b.rank || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1)
}
