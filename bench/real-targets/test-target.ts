import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startServerProcess } from '../../test/server-process.ts'
import { allTests, collectionOf, giveRole, type Installation, wholeCollection } from '../../test/use-vigil.ts'
import { nameless } from './operations.ts'
import { record } from './record.ts'
import { coverage, judged, type Score, weaknessesIn } from './score.ts'
import { changesBetween, type TableChange } from './snapshot.ts'
import type { Person, Recorded, Running, Target } from './target.ts'

const KEY = 'realtargetsrealtargetsrealtargetsrealtar'
/** Messages in one call, as a collector would send them. */
const BATCH = 500
const POLL_MS = 500
const PAGE = 1000

export interface TestOptions {
  readonly seconds: number
  /** Ids of tests; all of the library when absent. */
  readonly tests: readonly string[] | undefined
  /** What the runs may write: READ_ONLY, REVERSIBLE or ALL. */
  readonly writeLevel: string
  /** Folder for findings, evidence, results and damage. */
  readonly out: string | undefined
}

interface ResultItem {
  readonly hexId: string
  readonly testSubType: string
  readonly vulnerable: boolean
  readonly errorsList: readonly string[]
  readonly apiInfoKey: { readonly method: string; readonly url: string }
  readonly testResults: readonly {
    readonly confidence: string
    readonly validationReason: string | null
    readonly message: string | null
  }[]
}

/** Records the use of an application that runs, tests it with a fresh installation, and compares its database. */
export async function testTarget(
  target: Target,
  { origin, database }: Running,
  order: readonly Person[],
  { seconds, tests, writeLevel, out }: TestOptions,
): Promise<Score> {
  const visit = await target.prepare(origin)
  // Asked before the tests: some applications do not survive them.
  const routes = await target.routes(origin)
  const recorded = await record(origin, visit, order)
  const folder = mkdtempSync(join(tmpdir(), 'vigil-real-target-'))
  const server = await startServerProcess(folder, 0, KEY, new AbortController().signal)
  try {
    const vigil = server.installation
    const collectionId = await learn(vigil, origin, recorded)
    const endpoints = await endpointsOf(vigil, collectionId)
    const threats = await threatsOf(vigil)
    const before = await database?.snapshot()
    const start = performance.now()
    const run = await vigil.call('startTest', {
      ...wholeCollection(collectionId, tests ?? (await allTests(vigil))),
      cleanUpTestingResources: true,
      writeLevel,
      testRunTime: seconds,
    })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    const state = await ended(vigil, summaryId)
    const taken = (performance.now() - start) / 1000
    const damage =
      before === undefined || database === null
        ? null
        : await database.snapshot().then(
            (after) => changesBetween(before, after, target.volatile, target.isMarked),
            // Damage too: what could be read before the tests cannot be read after them.
            (error: unknown) => [unreadable(error)],
          )
    const results = await resultsOf(vigil, summaryId)
    const { openGroupsCount } = await vigil.call('fetchIssueGroups', {})
    const findings = results
      .filter(({ vulnerable }) => vulnerable)
      .map(findingOf)
      .map((finding) => judged(finding, target))
    if (out !== undefined) {
      writeFileSync(join(out, 'messages.json'), JSON.stringify(recorded.messages))
      writeFileSync(join(out, 'endpoints.txt'), `${endpoints.sort().join('\n')}\n`)
      writeFileSync(join(out, 'results.tsv'), results.map(lineOf).sort().join('\n'))
      writeFileSync(join(out, 'damage.json'), JSON.stringify(damage, null, 2))
      writeFileSync(join(out, 'log.txt'), `${(await logOf(vigil, run, summaryId)).join('\n')}\n`)
      await saveEvidence(vigil, results, out)
    }
    return {
      target: target.name,
      make: target.make,
      sound: target.sound,
      order,
      endpoints: endpoints.length,
      routes: coverage(routes, endpoints),
      findings,
      issues: Number(openGroupsCount),
      threats,
      weaknesses: weaknessesIn(findings, target.weaknesses),
      damage,
      state,
      seconds: taken,
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Hands over traffic and identities; @returns the collection of the host. */
async function learn(vigil: Installation, origin: string, { messages, headers }: Recorded): Promise<number> {
  for (let at = 0; at < messages.length; at += BATCH)
    await vigil.call('ingestData', { batchData: messages.slice(at, at + BATCH) })
  const { owner: _owner, attacker, administrator } = headers
  await giveRole(vigil, 'ATTACKER_TOKEN_ALL', attacker)
  await giveRole(vigil, 'MEMBER', attacker)
  if (Object.keys(administrator).length > 0) await giveRole(vigil, 'ADMIN', administrator)
  const { host, hostname } = new URL(origin)
  // The collection is named by host and port, or by the host alone where ports are left out.
  return collectionOf(vigil, host).catch(() => collectionOf(vigil, hostname))
}

/** What detection made of the recorded use. */
async function threatsOf(vigil: Installation): Promise<string[]> {
  const { maliciousEvents } = (await vigil.call('fetchSuspectSampleData', { limit: PAGE, skip: 0 })) as {
    maliciousEvents: { severity: string; filterId: string; method: string; url: string }[]
  }
  return maliciousEvents.map(
    ({ severity, filterId, method, url }) => `${severity} ${filterId} ${method} ${url}`,
  )
}

async function endpointsOf(vigil: Installation, apiCollectionId: number): Promise<string[]> {
  const { apiInfoList } = (await vigil.call('fetchApiInfosForCollection', { apiCollectionId })) as {
    apiInfoList: { id: { method: string; url: string } }[]
  }
  return apiInfoList.map(({ id }) => nameless(`${id.method} ${pathOf(id.url)}`))
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '')
}

async function ended(vigil: Installation, summaryId: string): Promise<string> {
  for (;;) {
    const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
    const state = String(summary['state'])
    if (state !== 'SCHEDULED' && state !== 'RUNNING') return state
    await pause(POLL_MS)
  }
}

async function resultsOf(vigil: Installation, summaryId: string): Promise<ResultItem[]> {
  const results: ResultItem[] = []
  for (let skip = 0; ; skip += PAGE) {
    const { testingRunResults } = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'ALL',
      sortKey: 'time',
      sortOrder: 1,
      limit: PAGE,
      skip,
      queryValue: '',
    })) as { testingRunResults: ResultItem[] }
    results.push(...testingRunResults)
    if (testingRunResults.length < PAGE) return results
  }
}

/** What the run sent, and what it could not undo. */
async function logOf(
  vigil: Installation,
  run: Record<string, unknown>,
  summaryId: string,
): Promise<string[]> {
  const lines: string[] = []
  for (let skip = 0; ; skip += PAGE) {
    const { testRunLogs } = (await vigil.call('fetchTestRunLogs', {
      testingRunHexId: run['testingRunHexId'],
      testingRunResultSummaryHexId: summaryId,
      logFetchStartTime: 0,
      logFetchEndTime: 0,
      limit: PAGE,
      skip,
    })) as { testRunLogs: { timestamp: number; log: string; testId: string | null }[] }
    lines.push(...testRunLogs.map(({ timestamp, log, testId }) => `${timestamp} ${testId ?? ''} ${log}`))
    if (testRunLogs.length < PAGE) return lines
  }
}

function unreadable(error: unknown): TableChange {
  return {
    table: '(all)',
    added: 0,
    removed: 0,
    changed: 1,
    marked: 0,
    examples: [`cannot be read: ${String(error)}`],
  }
}

function findingOf({ testSubType, apiInfoKey, testResults }: ResultItem) {
  const { confidence = '', validationReason } = testResults[0] ?? {}
  return {
    test: testSubType,
    severity: confidence,
    at: nameless(`${apiInfoKey.method} ${pathOf(apiInfoKey.url)}`),
    reason: validationReason ?? '',
  }
}

function lineOf({ vulnerable, testSubType, apiInfoKey, testResults, errorsList }: ResultItem): string {
  const { validationReason, message } = testResults[0] ?? {}
  return [
    vulnerable ? 'FOUND' : '-',
    testSubType,
    apiInfoKey.method,
    pathOf(apiInfoKey.url),
    validationReason ?? '',
    message ?? '',
    ...errorsList,
  ].join('\t')
}

async function saveEvidence(vigil: Installation, results: readonly ResultItem[], out: string): Promise<void> {
  for (const { hexId, testSubType, vulnerable } of results) {
    if (!vulnerable) continue
    const { evidence } = await vigil.call('exportTestResultEvidence', { testingRunResultHexId: hexId })
    writeFileSync(join(out, `${testSubType}-${hexId}.json`), `${JSON.stringify(evidence, null, 2)}\n`)
  }
}
