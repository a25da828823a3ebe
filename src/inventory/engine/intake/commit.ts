import { nowSeconds } from '../../../kit/index.ts'
import type { StoreClient } from '../../../store/index.ts'
import { assessRisk } from '../../risk.ts'
import {
  documentation,
  type EndpointChange,
  insertEndpoints,
  type Tally,
  type UnflushedFacts,
  updateEndpoints,
  writeFacts,
  writeProbes,
  writeSamples,
  writeTallies,
} from '../counts/index.ts'
import { actualAuthTypesOf } from '../learn/index.ts'
import type { Memory } from '../place/index.ts'
import type { EndpointState, Fact } from '../state/index.ts'
import type { Batch } from './batch.ts'
import type { FindingsHook } from './findings.ts'

const SECONDS_PER_DAY = 86_400

/** Writes a batch in the caller's transaction; returns the tallies that wait for a fold now. */
export async function commitBatch(
  client: StoreClient,
  batch: Batch,
  writer: string,
  memory: Memory,
  hook: FindingsHook,
): Promise<{ COUNTS: Tally; DETAILS: Tally }> {
  const now = nowSeconds()
  batch.settle()
  await insertEndpoints(client, [...batch.newEndpoints])
  for (const state of batch.calls.keys()) {
    // With several combinations the counts decide which apply, so the answer can change without a new fact.
    if (state.credentials.size > 1 && actualAuthTypesOf(state).join() !== state.actualAuthTypes.join()) {
      batch.changedEndpoints.add(state)
    }
  }
  const rows: Fact[] = []
  const counted: Fact[] = []
  for (const fact of batch.touched) (fact.isStored && !fact.isChanged ? counted : rows).push(fact)
  if (rows.length > 0) await writeFacts(client, rows)
  await updateEndpoints(
    client,
    Array.from(batch.changedEndpoints, (state) => changeOf(state, memory, now)),
  )
  await writeSamples(client, batch.samples)
  await writeProbes(client, [...batch.probes.values()])
  const tallies = batch.tallies(Math.floor(now / SECONDS_PER_DAY), counted)
  await writeTallies(client, writer, tallies)
  // Late, because counters of findings are held from here to the commit.
  if (batch.found.length > 0) await hook.write(client, batch.found)
  return tallies
}

/**
 * Marks what a committed batch wrote as stored; facts whose examples changed are added to `withNewDetail`, those whose
 * counts wait for a fold to `unflushed`.
 */
export function settleBatch(batch: Batch, withNewDetail: Set<Fact>, unflushed: UnflushedFacts): void {
  for (const fact of batch.touched) {
    // A row that was just written carries its count and detail; the others wait for the fold.
    if (fact.isStored && !fact.isChanged) {
      unflushed.add(fact)
      if (fact.hasNewDetail) withNewDetail.add(fact)
    } else fact.hasNewDetail = false
    fact.fresh = 0
    fact.isStored = true
    fact.isChanged = false
  }
  for (const state of batch.changedEndpoints) state.isChanged = false
  batch.close()
}

function changeOf(state: EndpointState, memory: Memory, now: number): EndpointChange {
  const collection = memory.collections.get(state.collectionId)
  state.actualAuthTypes = actualAuthTypesOf(state)
  const { actualAuthTypes } = state
  const risk = assessRisk({
    discoveredAt: state.discoveredAt,
    accessTypes: [...state.access],
    sensitiveInRequest: [...state.sensitiveInRequest],
    sensitiveInResponse: [...state.sensitiveInResponse],
    authTypes: actualAuthTypes,
    method: state.method,
    url: state.url,
    sensitiveInUrl: state.sensitiveInUrl(),
    isSignIn: state.takesPasswords(),
    ...documentation(state.isDocumented, collection?.hasDocument === true),
  })
  return {
    id: state.id,
    apiType: state.apiType,
    codes: [...state.codes],
    credentials: Array.from(state.credentials, (combination) => combination.split(',')),
    actualAuthTypes,
    access: [...state.access],
    sensitiveInRequest: [...state.sensitiveInRequest],
    sensitiveInResponse: [...state.sensitiveInResponse],
    sources: Object.fromEntries(state.sources),
    attributes: Object.fromEntries(state.attributes),
    riskScore: risk.riskScore,
    riskFactors: risk.factors,
    firstSeen: state.firstSeen,
    at: now,
  }
}
