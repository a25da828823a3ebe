import type { NewShard, ShardPairs } from '../records/shards.ts'
import { isSlowPhase, phaseOf } from '../run/pair-phase.ts'
import type { Template } from '../template/index.ts'
import type { PlannedPair } from './plan.ts'

/** Cost of a shard: pairs, the slow ones counted more; with some attempts each a few hundred requests. */
const SHARD_COST = 100
const SLOW_COST = 5
/**
 * A shard holds at most this part of what is left of its stage, so that the last ones are small and the processes that
 * work on them end together.
 */
const PART = 1 / 16

/**
 * Cuts the pairs of a plan into shards, by phase as stages: what signs in after all else, and what may keep an
 * application busy last. All pairs of an endpoint in a stage are in one shard, for an intrusive test must have its
 * endpoint for itself.
 */
export function cutShards(
  pairs: readonly PlannedPair[],
  templates: ReadonlyMap<string, Template>,
): NewShard[] {
  const stages = new Map<
    number,
    Map<string, { pairs: ShardPairs[number]; testIds: string[]; cost: number }>
  >()
  for (const { endpoint, testId } of pairs) {
    const { phase } = phaseOf(templates.get(testId), endpoint)
    const stage = stages.get(phase) ?? new Map()
    stages.set(phase, stage)
    const key = `${endpoint.collectionId} ${endpoint.method} ${endpoint.url}`
    const known = stage.get(key) ?? { pairs: null, testIds: [], cost: 0 }
    known.testIds.push(testId)
    known.cost += isSlowPhase(phase) ? SLOW_COST : 1
    known.pairs ??= {
      collectionId: endpoint.collectionId,
      method: endpoint.method,
      url: endpoint.url,
      testIds: known.testIds,
    }
    stage.set(key, known)
  }
  const shards: NewShard[] = []
  for (const [stage, endpoints] of [...stages].sort(([a], [b]) => a - b)) {
    let open: ShardPairs[number][] = []
    let cost = 0
    let left = [...endpoints.values()].reduce((sum, endpoint) => sum + endpoint.cost, 0)
    for (const endpoint of endpoints.values()) {
      open.push(endpoint.pairs)
      cost += endpoint.cost
      if (cost < Math.min(SHARD_COST, left * PART)) continue
      shards.push({ stage, pairs: open })
      left -= cost
      open = []
      cost = 0
    }
    if (open.length > 0) shards.push({ stage, pairs: open })
  }
  return shards
}

/** The pairs of a shard. */
export function pairsOf(shard: ShardPairs): PlannedPair[] {
  return shard.flatMap(({ collectionId, method, url, testIds }) =>
    testIds.map((testId) => ({ endpoint: { collectionId, method, url }, testId })),
  )
}
