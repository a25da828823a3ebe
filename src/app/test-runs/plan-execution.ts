import { nowMs } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  cutShards,
  type EndpointKey,
  lackResult,
  noteLeftOut,
  type PlannedPair,
  pairsToRepeat,
  planRun,
  type RecordedPair,
  recordedPairs,
  runTools,
  storeShards,
} from '../../testing/index.ts'
import type { OpenRun } from './open-run.ts'

/** Results of pairs left out that one statement writes. */
const LEFT_OUT_STATEMENT = 500

/**
 * Plans an execution: its shards are stored, once, and the pairs that are not run get their results. Planning
 * that broke off is repeated whole, and changes nothing that was stored.
 *
 * @param onShards called when the shards can be taken, before the other results are written
 * @returns false when it broke off, because the run was stopped or its time is up
 */
export async function planExecution(store: Store, open: OpenRun, onShards: () => void): Promise<boolean> {
  const { execution, endpoints, templates, material, roles, until } = open
  const plan = planRun(endpoints, [...templates.values()], runTools(material, until), {
    roles,
    hasCallbacks: material.callback !== null,
    lackOfSample: (endpoint) => material.samples.lackOf(endpoint),
  })
  const isWanted = await wantedPairs(store, open)
  const shards = cutShards(plan.pairs.filter(isWanted), templates)
  await storeShards(store, execution.id, shards)
  onShards()
  const done = open.isResumed ? new Set((await recordedPairs(store, execution.id)).map(keyOf)) : new Set()
  const leftOut = plan.leftOut
    .filter((pair) => isWanted(pair) && !done.has(pairKey(pair)))
    .map((pair) => lackResult(pair, nowMs()))
  for (let at = 0; at < leftOut.length && !until.aborted; at += LEFT_OUT_STATEMENT)
    await open.record(leftOut.slice(at, at + LEFT_OUT_STATEMENT))
  if (until.aborted) return false
  await noteLeftOut(store, execution.id)
  return true
}

/** Of the pairs of a shard those that have no result yet: another process may have died over it. */
export async function duePairs(
  store: Store,
  { execution }: OpenRun,
  pairs: readonly PlannedPair[],
): Promise<PlannedPair[]> {
  if (execution.originalId !== null) {
    const marked = new Set((await pairsToRepeat(store, execution.originalId)).map(keyOf))
    return pairs.filter((pair) => marked.has(pairKey(pair)))
  }
  const done = new Set((await recordedPairs(store, execution.id, pairs)).map(keyOf))
  return pairs.filter((pair) => !done.has(pairKey(pair)))
}

/** Which pairs an execution is to run: all, or those that a person named. */
async function wantedPairs(store: Store, { execution }: OpenRun): Promise<(pair: PlannedPair) => boolean> {
  const wanted =
    execution.originalId === null
      ? (execution.override?.pairs ?? null)
      : await pairsToRepeat(store, execution.originalId)
  if (wanted === null) return () => true
  const keys = new Set(wanted.map(keyOf))
  return (pair) => keys.has(pairKey(pair))
}

function pairKey({ endpoint, testId }: { endpoint: EndpointKey; testId: string }): string {
  return keyOf({ testId, ...endpoint })
}

function keyOf(pair: RecordedPair): string {
  return `${pair.testId} ${pair.collectionId} ${pair.method} ${pair.url}`
}
