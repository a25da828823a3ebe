import { type IssueEffect, recordOutcomes } from '../src/issues/index.ts'
import { nowMs, nowSeconds } from '../src/kit/index.ts'
import type { Store } from '../src/store/index.ts'
import {
  claimExecution,
  createRun,
  type NewRun,
  type RecordOutcome,
  recordResults,
  SecretMask,
} from '../src/testing/records/index.ts'
import type { PairResult } from '../src/testing/run/pair-result.ts'

/** What a seeded result says; the rest is that of a small finding. */
export type SeededPair = Partial<PairResult> & { readonly url?: string; readonly collectionId?: number }

/** The exchange that stands in evidence. */
export function exchangeOf(url: string, status = 200, body = '{"id":7}'): PairResult['baseline'] & {} {
  return {
    request: {
      method: 'GET',
      target: url,
      version: 'HTTP/1.1',
      headers: ['Host', 'shop.test', 'Authorization', 'Bearer secret-of-the-victim'],
      body: '',
    },
    response: { status, reason: '', headers: ['content-type', 'application/json'], body },
    at: nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}

/** A result of a test on an endpoint. */
export function pairOf({
  url = 'https://shop.test/rest/user',
  collectionId = 0,
  ...given
}: SeededPair): PairResult {
  return {
    endpoint: { collectionId, method: 'GET', url },
    testId: 'REPLACE_AUTH_TOKEN',
    category: 'BOLA',
    severity: 'HIGH',
    outcome: 'VULNERABLE',
    explanation: 'The answer to the other user is the same.',
    baseline: exchangeOf(url),
    attempts: [
      {
        step: 'x1',
        exchange: exchangeOf(`${url}?a=1`),
        validates: (given.outcome ?? 'VULNERABLE') === 'VULNERABLE',
        reasons: null,
        percentageMatch: 97,
        responseTimeMs: 3,
        isTruncated: false,
      },
    ],
    control: null,
    identities: [''],
    callbackIds: [],
    selection: null,
    startedAtMs: nowMs(),
    endedAtMs: nowMs(),
    ...given,
  }
}

/** A run as a client starts one; what is not given is that of one collection, now, once. */
export function runOf(given: Partial<NewRun>): NewRun {
  return {
    name: 'smoke',
    userLogin: 'ada@example.org',
    triggeredBy: null,
    source: 'TESTING_UI',
    scheduledAt: nowSeconds(),
    periodSeconds: 0,
    timeZone: '',
    runSeconds: -1,
    maxConcurrent: -1,
    targetType: 'COLLECTION_WISE',
    targetEndpoints: null,
    collectionIds: [1],
    slackChannelId: 0,
    sendsSlack: false,
    sendsTeams: false,
    keepsIssuesOpen: false,
    allowedExecutors: null,
    metadata: null,
    configuration: {
      testIds: ['REPLACE_AUTH_TOKEN'],
      suiteIds: [],
      roleId: null,
      overrideUrl: null,
      cleansUp: false,
      writeLevel: 'ALL',
      requestChanges: null,
      ticketing: null,
    },
    ...given,
  }
}

/** Later than anything that a running service of the same store looks for. */
const AHEAD_SECONDS = 3600

/** Starts a run and takes its execution, also where a service is running that would take it first. */
export async function startedRun(
  store: Store,
  given: Partial<NewRun> = {},
): Promise<{ runId: string; summaryId: string }> {
  const run = runOf(given)
  const at = run.scheduledAt
  const ahead = at + AHEAD_SECONDS
  const { runId, summaryId } = await createRun(store, { ...run, scheduledAt: ahead })
  const claimed = await claimExecution(store, 'test worker', ahead)
  if (claimed?.execution.id !== summaryId) throw new Error('another execution waited before')
  await store.pool.query('UPDATE test_runs SET scheduled_at = $2, picked_up_at = $2 WHERE id = $1', [
    runId,
    at,
  ])
  await store.pool.query('UPDATE run_summaries SET started_at = $2, seen_at = $2 WHERE id = $1', [
    summaryId,
    at,
  ])
  return { runId, summaryId }
}

/** Reports results as the runner does. */
export function report(
  store: Store,
  summaryId: string,
  pairs: readonly PairResult[],
): Promise<RecordOutcome> {
  return recordResults(store, summaryId, pairs, {
    mask: new SecretMask(['secret-of-the-victim']),
    follow: (client, results, keepsOpen): Promise<IssueEffect[]> =>
      recordOutcomes(client, results, keepsOpen),
  })
}
