import { basename } from 'node:path'
import type { Client } from '../../contract/index.ts'
import { withoutSecrets } from '../read-input.ts'
import { crawlTarget } from './crawl-target.ts'
import type { ExecutionId } from './gather-checks.ts'
import { type FinishedScan, gatherScan } from './gather-scan.ts'
import { giveRoles } from './give-roles.ts'
import { type ImportedFiles, importFiles } from './import-files.ts'
import { pathOf } from './path-of.ts'
import type { Progress } from './progress.ts'
import type { ScanOptions } from './scan-options.ts'
import { activeTests, selectEndpoints, selectTests } from './select.ts'
import { type ProvenResult, watchRun } from './watch-run.ts'

/** How a scan speaks to the person who started it. */
interface ScanVoice {
  /** A step or a warning, for people. */
  note(line: string): void
  /** A finding, as soon as it is proven. */
  found(line: string, finding: ProvenResult): void
  readonly progress: Progress
  /** Aborted to end the run early. */
  readonly signal: AbortSignal
}

/**
 * Carries a scan out by the operations of an installation.
 *
 * @throws Failure BAD_COMMAND, ScanFailure, CallError
 */
export async function runScan(client: Client, options: ScanOptions, voice: ScanVoice): Promise<FinishedScan> {
  const startedMs = performance.now()
  const startedAt = new Date().toISOString()
  const tests = await activeTests(client)
  const selectedTests = selectTests(tests, options.select)
  const testRoleId = await giveRoles(client, options.roles)
  const { collectionId, inputs } = await gatherApi(client, options, testRoleId, voice)
  const endpoints = await selectEndpoints(client, collectionId, options.select)
  const run = await start(client, options, { collectionId, endpoints, selectedTests, testRoleId })
  const stop = (): void => void client.op.stopTest({ testingRunHexId: run.runId }).catch(() => {})
  voice.signal.addEventListener('abort', stop, { once: true })
  if (voice.signal.aborted) stop()
  const { summary, proven } = await watchRun(
    client,
    { ...run, collectionIds: [collectionId] },
    {
      progress: (state, found) => voice.progress.show(state, found),
      proven: (finding) =>
        voice.found(foundLine(finding, tests.get(finding.result.testSubType)?.testName), finding),
    },
  )
  return gatherScan(
    { client, tests, baseline: options.baseline },
    { ...run, summary, proven },
    {
      target: options.target.href.replace(/\/$/, ''),
      inputs,
      startedAt,
      seconds: Math.round((performance.now() - startedMs) / 100) / 10,
      failOn: options.failOn,
      tests: selectedTests.length,
      listsChecks: options.reports.has('junit'),
    },
  )
}

/** What is known of the API: from files, and from a crawl as the role under test. */
async function gatherApi(
  client: Client,
  options: ScanOptions,
  role: string,
  { note, signal }: ScanVoice,
): Promise<ImportedFiles> {
  const { files, crawl, target } = options
  const collectionName = options.collection ?? scanCollection(withoutSecrets(files[0] ?? target.host))
  const imported = files.length === 0 ? null : await importFiles(client, options, collectionName, note)
  if (crawl === null) return imported!
  const { testRoles } = role === '' ? { testRoles: [] } : await client.op.fetchTestRoles({})
  const roleId = testRoles?.find(({ name }) => name === role)?.hexId ?? null
  const order = { start: crawl, collectionName, roleId }
  const crawled = await crawlTarget(client, options, order, { report: note, signal })
  return { ...crawled, inputs: [...(imported?.inputs ?? []), ...crawled.inputs] }
}

function scanCollection(name: string): string {
  return `scan ${basename(name)}`.replace(/[^\w .-]+/g, '-').slice(0, 60)
}

interface Scope {
  readonly collectionId: number
  readonly endpoints: Awaited<ReturnType<typeof selectEndpoints>>
  readonly selectedTests: string[]
  readonly testRoleId: string
}

async function start(client: Client, options: ScanOptions, scope: Scope): Promise<ExecutionId> {
  const { collectionId, endpoints, selectedTests, testRoleId } = scope
  const started = await client.op.startTest({
    type: endpoints === null ? 'COLLECTION_WISE' : 'CUSTOM',
    ...(endpoints === null ? { apiCollectionId: collectionId } : { apiInfoKeyList: endpoints }),
    selectedTests,
    testName: 'vigil scan',
    source: 'TESTING_UI',
    startTimestamp: 0,
    recurringDaily: false,
    recurringWeekly: false,
    recurringMonthly: false,
    continuousTesting: false,
    sendSlackAlert: false,
    sendMsTeamsAlert: false,
    testRunTime: options.maxSeconds,
    maxConcurrentRequests: -1,
    overriddenTestAppUrl: options.target.origin,
    testRoleId,
    cleanUpTestingResources: true,
    autoTicketingDetails: '',
    writeLevel: options.writeLevel,
  })
  return { runId: started.testingRunHexId!, summaryId: started.testingRunResultSummaryHexId! }
}

function foundLine({ result, severity }: ProvenResult, name: string | undefined): string {
  const { method, url } = result.apiInfoKey
  return `${severity.padEnd(8)} ${name ?? result.testSubType}: ${method} ${pathOf(url)}`
}
