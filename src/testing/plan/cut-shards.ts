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

/** What a stage tests at one path, with all methods. */
interface PathWork {
  readonly byMethod: Map<string, ShardPairs[number] & { readonly testIds: string[] }>
  cost: number
}

/**
 * Cuts the pairs of a plan into shards, by phase as stages: what signs in after all else, and what may keep an
 * application busy last. All pairs of a path in a stage are in one shard, whatever their methods: an intrusive test must
 * have what is at its path for itself.
 */
export function cutShards(
  pairs: readonly PlannedPair[],
  templates: ReadonlyMap<string, Template>,
): NewShard[] {
  const shards: NewShard[] = []
  for (const [stage, paths] of [...stagesOf(pairs, templates)].sort(([a], [b]) => a - b)) {
    let open: ShardPairs[number][] = []
    let cost = 0
    let left = [...paths.values()].reduce((sum, path) => sum + path.cost, 0)
    for (const path of paths.values()) {
      open.push(...path.byMethod.values())
      cost += path.cost
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

function stagesOf(
  pairs: readonly PlannedPair[],
  templates: ReadonlyMap<string, Template>,
): Map<number, Map<string, PathWork>> {
  const stages = new Map<number, Map<string, PathWork>>()
  for (const { endpoint, testId } of pairs) {
    const { phase } = phaseOf(templates.get(testId), endpoint)
    const stage = stages.get(phase) ?? new Map<string, PathWork>()
    stages.set(phase, stage)
    const { collectionId, method, url } = endpoint
    const key = `${collectionId} ${url}`
    const path = stage.get(key) ?? { byMethod: new Map(), cost: 0 }
    stage.set(key, path)
    const known = path.byMethod.get(method) ?? { collectionId, method, url, testIds: [] }
    path.byMethod.set(method, known)
    known.testIds.push(testId)
    path.cost += isSlowPhase(phase) ? SLOW_COST : 1
  }
  return stages
}

/** The pairs of a shard. */
export function pairsOf(shard: ShardPairs): PlannedPair[] {
  return shard.flatMap(({ collectionId, method, url, testIds }) =>
    testIds.map((testId) => ({ endpoint: { collectionId, method, url }, testId })),
  )
}
