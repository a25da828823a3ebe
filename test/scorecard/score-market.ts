import { setTimeout as pause } from 'node:timers/promises'
import {
  recordMarketTraffic,
  startMarket,
  WEAKNESSES,
  type WeaknessId,
  type WeaknessSet,
} from '../../src/demo/index.ts'
import { allTests, collectionOf, giveIdentities, type Installation, wholeCollection } from '../use-vigil.ts'

/** A finding of a run. */
export interface Finding {
  readonly testId: string
  readonly category: string
  readonly method: string
  readonly url: string
}

/** What a scan of the market came to. */
export interface Score {
  readonly found: ReadonlyMap<WeaknessId, readonly string[]>
  readonly missed: readonly WeaknessId[]
  readonly findings: readonly Finding[]
  /** Findings where the market has no weakness of that kind. */
  readonly others: readonly Finding[]
  readonly tests: number
  readonly endpoints: number
  readonly seconds: number
  readonly state: string
  readonly outcomes: Readonly<Record<string, number>>
  readonly collectionId: number
  readonly runId: string
  readonly summaryId: string
}

const WAIT_SECONDS = 240

interface ResultItem {
  testSubType: string
  testSuperType: string
  vulnerable: boolean
  apiInfoKey: { method: string; url: string }
}

/**
 * Lets a market be used, hands its traffic to an installation, gives it the identities of a second customer, and runs
 * every test of the library on every endpoint.
 *
 * @param selectedTests null for all
 */
export async function scoreMarket(
  vigil: Installation,
  weak: WeaknessSet,
  selectedTests: string[] | null = null,
): Promise<Score> {
  const market = await startMarket(weak)
  try {
    const { messages, tokens } = await recordMarketTraffic(market)
    await vigil.call('ingestData', { batchData: messages })
    const collectionId = await collectionOf(vigil, new URL(market.origin).host)
    await giveIdentities(vigil, tokens)
    const tests = selectedTests ?? (await allTests(vigil))
    const started = performance.now()
    const run = await vigil.call('startTest', {
      ...wholeCollection(collectionId, tests),
      testName: 'scorecard',
      testRunTime: WAIT_SECONDS,
    })
    const runId = String(run['testingRunHexId'])
    const summaryId = String(run['testingRunResultSummaryHexId'])
    const state = await ended(vigil, summaryId)
    const results = await resultsOf(vigil, summaryId, 'ALL')
    return {
      ...judged(results),
      tests: tests.length,
      seconds: (performance.now() - started) / 1000,
      state,
      collectionId,
      runId,
      summaryId,
    }
  } finally {
    await market.close()
  }
}

async function ended(vigil: Installation, summaryId: string): Promise<string> {
  for (const deadline = Date.now() + WAIT_SECONDS * 1000; Date.now() < deadline; ) {
    const { state } = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
    if (state !== 'SCHEDULED' && state !== 'RUNNING') return String(state)
    await pause(100)
  }
  throw new Error('the run did not end in time')
}

async function resultsOf(vigil: Installation, summaryId: string, queryMode: string): Promise<ResultItem[]> {
  const results: ResultItem[] = []
  for (let skip = 0; ; skip += 1000) {
    const page = (await vigil.call('fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode,
      sortKey: 'time',
      sortOrder: 1,
      limit: 1000,
      skip,
      queryValue: '',
    })) as { testingRunResults: ResultItem[] }
    results.push(...page.testingRunResults)
    if (page.testingRunResults.length < 1000) return results
  }
}

function judged(
  results: readonly ResultItem[],
): Pick<Score, 'found' | 'missed' | 'findings' | 'others' | 'endpoints' | 'outcomes'> {
  const findings = results
    .filter(({ vulnerable }) => vulnerable)
    .map((item) => ({
      testId: item.testSubType,
      category: item.testSuperType,
      method: item.apiInfoKey.method,
      url: pathOf(item.apiInfoKey.url),
    }))
  const found = new Map<WeaknessId, string[]>()
  const explained = new Set<Finding>()
  for (const { id, categories, method, path } of WEAKNESSES) {
    const hits = findings.filter(
      (finding) =>
        finding.method === method &&
        finding.url === path &&
        (categories as readonly string[]).includes(finding.category),
    )
    for (const hit of hits) explained.add(hit)
    if (hits.length > 0) found.set(id, hits.map(({ testId }) => testId).sort())
  }
  const tested = new Set(results.map(({ apiInfoKey }) => `${apiInfoKey.method} ${apiInfoKey.url}`))
  return {
    found,
    missed: WEAKNESSES.map(({ id }) => id).filter((id) => !found.has(id)),
    findings,
    others: findings.filter((finding) => !explained.has(finding)),
    endpoints: tested.size,
    outcomes: { vulnerable: findings.length, all: results.length },
  }
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '')
}

/** The scorecard as a text, one line a weakness. */
export function scorecardText(weak: Score, sound: Score): string {
  const lines = WEAKNESSES.map(({ id, owasp, cwe }) => {
    const by = weak.found.get(id)
    return `${by === undefined ? 'MISSED' : 'found '} ${owasp.padEnd(5)} ${cwe.padEnd(9)} ${id.padEnd(26)} ${by?.join(' ') ?? ''}`.trimEnd()
  })
  const alarms = [...sound.others, ...[...sound.found.values()].flat()]
  const classes = [...new Set(WEAKNESSES.map(({ owasp }) => owasp))].map((owasp) => {
    const all = WEAKNESSES.filter((weakness) => weakness.owasp === owasp)
    return `${owasp}: ${all.filter(({ id }) => weak.found.has(id)).length} of ${all.length}`
  })
  return `${[
    'Scorecard of the market (node bench/scorecard/run.ts)',
    '',
    `weak: ${weak.found.size} of ${WEAKNESSES.length} found, ${weak.others.length} findings beside them`,
    `sound: ${alarms.length} false alarms`,
    '',
    ...classes,
    '',
    ...lines,
    '',
    ...weak.others.map(({ testId, method, url }) => `beside ${testId} ${method} ${url}`),
  ].join('\n')}\n`
}
