import { findBrowser } from '../../app/index.ts'
import type { Client, TestTemplate } from '../../contract/index.ts'
import {
  type Market,
  PUBLIC_HOST,
  recordMarketAttacks,
  recordMarketTraffic,
  type WeaknessId,
} from '../../demo/index.ts'
import type { Settings } from '../../kit/index.ts'
import { crawlTarget } from '../scan/crawl-target.ts'
import { giveRoles } from '../scan/give-roles.ts'
import { pathOf } from '../scan/path-of.ts'
import { activeTests } from '../scan/select.ts'
import { type ProvenResult, watchRun } from '../scan/watch-run.ts'

const FINDINGS_SHOWN = 12
const CRAWL_SECONDS = 60
/** What the second version of the market does right. */
const FIXED: readonly WeaknessId[] = [
  'order-of-others',
  'invoice-of-others',
  'sql-in-search',
  'open-redirect',
]

/** Lets the market be used, sends its traffic to Vigil, and gives the test roles their credentials. */
export async function observeMarket(client: Client, market: Market): Promise<{ messages: number }> {
  const { messages, tokens } = await recordMarketTraffic(market)
  await client.op.ingestData({ batchData: messages })
  const headers = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })
  await giveRoles(client, [
    { name: 'ATTACKER', headers: headers(tokens.bob), login: null },
    { name: 'ADMIN', headers: headers(tokens.carol), login: null },
  ])
  return { messages: messages.length }
}

/**
 * The collection that the traffic of the market made.
 *
 * @throws Error when there is none
 */
export async function demoCollection(client: Client, { origin }: Market): Promise<number> {
  const { host } = new URL(origin)
  const { apiCollections } = await client.op.getAllCollectionsBasic({})
  const found = (apiCollections ?? []).find(({ hostName }) => hostName === host)
  if (found === undefined) throw new Error(`no collection was made of ${host}`)
  return found.id
}

/** Lets attackers reach the market, and sends what a mirror saw to Vigil; @returns the number of requests and events. */
export async function observeAttacks(
  client: Client,
  market: Market,
): Promise<{ messages: number; host: string; events: number }> {
  const messages = await recordMarketAttacks(market)
  await client.op.ingestData({ batchData: messages })
  const { categoryCounts } = await client.op.fetchThreatCategoryCount({ startTs: 0, endTs: 0 })
  const events = (categoryCounts ?? []).reduce((sum, { count }) => sum + count, 0)
  return { messages: messages.length, host: PUBLIC_HOST, events }
}

/** A run with every test. */
interface DemoRun {
  readonly collectionIds: readonly number[]
  readonly runId: string
  readonly summaryId: string
  readonly tests: ReadonlyMap<string, TestTemplate>
}

/** Starts a run of the whole library on a collection. */
export async function startRun(client: Client, collectionId: number): Promise<DemoRun> {
  const tests = await activeTests(client)
  const started = await client.op.startTest({
    type: 'COLLECTION_WISE',
    apiCollectionId: collectionId,
    selectedTests: [...tests.keys()],
    testName: 'Demo',
    source: 'TESTING_UI',
    startTimestamp: 0,
    recurringDaily: false,
    recurringWeekly: false,
    recurringMonthly: false,
    continuousTesting: false,
    sendSlackAlert: false,
    sendMsTeamsAlert: false,
    testRunTime: -1,
    maxConcurrentRequests: 10,
    overriddenTestAppUrl: '',
    testRoleId: '',
    cleanUpTestingResources: false,
    autoTicketingDetails: '',
  })
  return {
    collectionIds: [collectionId],
    runId: started.testingRunHexId!,
    summaryId: started.testingRunResultSummaryHexId!,
    tests,
  }
}

/**
 * Fixes four weaknesses and repeats the run, so that two executions can be compared; @returns how many results found
 * something.
 */
export async function repeatRun(
  client: Client,
  market: Market,
  run: DemoRun,
  { step, signal }: DemoVoice,
): Promise<number> {
  market.fix(FIXED)
  const { testingRunResultSummaryHexId } = await client.op.startTest({ testingRunHexId: run.runId })
  const again = { ...run, summaryId: testingRunResultSummaryHexId! }
  stopOnAbort(client, run, signal)
  const { summary, proven } = await watchRun(client, again, { progress: () => {}, proven: () => {} })
  step(`second execution ${summary.state}: ${proven.length} proven findings; compare it with the first one`)
  return proven.length
}

/** Crawls the pages of the market for at most a minute, where a browser is installed. */
export async function crawlMarket(
  client: Client,
  market: Market,
  { browser }: Settings,
  { step, signal }: DemoVoice,
): Promise<void> {
  if (findBrowser(browser) === null) {
    step('no browser for a crawl is installed; vigil browser install brings one')
    return
  }
  const { testRoles } = await client.op.fetchTestRoles({})
  const member = (testRoles ?? []).find(({ name }) => name === 'MEMBER')
  const order = {
    start: new URL(market.origin),
    collectionName: 'market pages',
    roleId: member?.hexId ?? null,
  }
  const options = { crawlSeconds: CRAWL_SECONDS, writeLevel: 'REVERSIBLE' } as const
  await crawlTarget(client, options, order, { report: step, signal })
}

/** How a demo speaks, and when it is to end. */
interface DemoVoice {
  readonly say: (line: string) => void
  readonly step: (text: string) => void
  /** Aborted to stop the run. */
  readonly signal: AbortSignal
}

/** Shows findings as they are proven, until the run ended; @returns their number. */
export async function watchFindings(client: Client, run: DemoRun, voice: DemoVoice): Promise<number> {
  const { say, step, signal } = voice
  stopOnAbort(client, run, signal)
  let shown = 0
  const { summary, proven } = await watchRun(client, run, {
    progress: () => {},
    proven: (finding) => {
      if (shown === 0) step('first findings proven:')
      shown++
      if (shown <= FINDINGS_SHOWN) say(findingText(finding, run.tests))
      if (shown === FINDINGS_SHOWN) say('          … more follow; the dashboard shows all')
    },
  })
  step(`run ${summary.state}: ${summary.testResultsCount} results, ${proven.length} proven findings`)
  return proven.length
}

function stopOnAbort(client: Client, { runId }: DemoRun, signal: AbortSignal): void {
  // A run that cannot be stopped ends with the server, which is closed next.
  const stop = (): void => void client.op.stopTest({ testingRunHexId: runId }).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
}

function findingText({ result, severity }: ProvenResult, tests: ReadonlyMap<string, TestTemplate>): string {
  const { apiInfoKey, testSubType, testResults } = result
  const name = tests.get(testSubType)?.testName ?? testSubType
  const reason = testResults?.[0]?.validationReason ?? ''
  return `          ${severity.padEnd(8)} ${name}: ${apiInfoKey.method} ${pathOf(apiInfoKey.url)}\n                   ${reason}`
}
