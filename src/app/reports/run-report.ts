import { Failure, nowSeconds, type Settings } from '../../kit/index.ts'
import type { ReportContent, ReportDefinition, ReportFinding, TrendPoint } from '../../reports/index.ts'
import type { IssueSeverity, Store } from '../../store/index.ts'
import {
  type ExecutionView,
  findExecution,
  findRun,
  listExecutions,
  listResults,
  type ResultView,
  type RunView,
  type TemplateCatalogue,
} from '../../testing/index.ts'
import { baseUrlOf } from '../base-url.ts'
import { readResultFilters } from '../operations/test-runs/result-filters.ts'
import { proofTexts } from './evidence-text.ts'
import { runFigures } from './run-figures.ts'
import { categoriesOf, countsOf, placesOf, weaknessesOf } from './weaknesses.ts'

/** Findings of one report. */
export const maxFindings = 2_000
const PAGE = 500
const TREND = 12

/** What gathering a report needs of the installation. */
export interface GatherDeps {
  readonly store: Store
  readonly settings: Settings
  readonly catalogue: TemplateCatalogue
}

/**
 * The findings of an execution; the status of their issues is next to them.
 *
 * @param limit at most this many, the worst first
 */
export async function runFindings(
  store: Store,
  summaryId: string,
  { filters, visible }: Pick<ReportDefinition, 'filters' | 'visible'>,
  limit: number,
): Promise<ResultView[]> {
  const found: ResultView[] = []
  while (found.length < limit) {
    const page = await listResults(
      store,
      { ...readResultFilters(filters), summaryId, mode: 'VULNERABLE', visible },
      {
        sort: 'severity',
        isAscending: false,
        skip: found.length,
        limit: Math.min(PAGE, limit - found.length),
      },
    )
    found.push(...page)
    if (page.length < PAGE) break
  }
  return found
}

/** Reads the report of one execution. @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when it was deleted */
export async function gatherRun(
  { store, settings, catalogue }: GatherDeps,
  summaryId: string,
  definition: ReportDefinition,
): Promise<ReportContent> {
  const execution = await findExecution(store, summaryId, definition.visible)
  const run = execution && (await findRun(store, execution.runId, definition.visible))
  if (execution === undefined || run === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  const results = (await runFindings(store, summaryId, definition, maxFindings)).filter(
    (result) => result.severity !== 'INFO',
  )
  const tests = await catalogue.byIds([...new Set(results.map((result) => result.testId))])
  const proofs = await proofTexts(
    store,
    results.map((result) => result.id),
  )
  const names = await collectionNames(store)
  const weaknesses = weaknessesOf(
    results.map((result) => ({
      testId: result.testId,
      category: result.category,
      finding: findingOf(result, names.get(result.collectionId) ?? '', proofs.get(result.id)),
    })),
    tests,
  )
  const figures = await runFigures(store, summaryId, definition.visible)
  const title = run.name === '' ? 'Test run' : run.name
  return {
    title,
    subject: `Security test of ${moment(execution.startedAt)}`,
    facts: factsOf(run, execution, definition, names, baseUrlOf(settings)),
    madeAt: nowSeconds(),
    counts: countsOf(weaknesses),
    categories: categoriesOf(weaknesses),
    outcomesTitle: 'What became of the tests',
    endpointsInScope: figures.testedTotal + figures.untestedTotal,
    endpointsTested: figures.testedTotal,
    endpointsWithFindings: placesOf(weaknesses),
    trend: trendOf(await listExecutions(store, run.id, 0, 0, TREND)),
    trendTitle: 'Findings of the last executions',
    weaknesses,
    ...figures,
  }
}

function findingOf(
  result: ResultView,
  collection: string,
  proof: Pick<ReportFinding, 'explanation' | 'control' | 'request' | 'answer'> | undefined,
): ReportFinding {
  return {
    method: result.method,
    url: result.url,
    collection,
    severity: result.severity as IssueSeverity,
    causeKey: result.causeKey,
    status: result.issueStatus ?? 'OPEN',
    note: result.issueDescription ?? '',
    firstSeen: 0,
    lastSeen: result.endedAt,
    ticketUrl: result.ticketUrl,
    ...(proof ?? { explanation: result.explanation, control: '', request: '', answer: '' }),
  }
}

function factsOf(
  run: RunView,
  execution: ExecutionView,
  definition: ReportDefinition,
  names: ReadonlyMap<number, string>,
  baseUrl: string,
): [string, string][] {
  const scope = run.collectionIds.map((id) => names.get(id) ?? String(id)).join(', ')
  const facts: [string, string][] = [
    ['Collections', scope],
    ['State', execution.state],
    ['Began', moment(execution.startedAt)],
    ['Ended', execution.endedAt > 0 ? moment(execution.endedAt) : 'not yet'],
    ['Planned', `${execution.endpointsCount} endpoints × ${execution.testsCount} tests`],
    ['Started by', run.userLogin],
    ['Report for', definition.userLogin],
    ['Made', `${moment(nowSeconds())}, by ${baseUrl}`],
  ]
  const error = execution.metadata?.['error']
  return error === undefined ? facts : [...facts, ['Broken off', error]]
}

function trendOf(executions: readonly ExecutionView[]): TrendPoint[] {
  return executions
    .filter((one) => one.state !== 'SCHEDULED' && one.state !== 'RUNNING' && one.resultsCount > 0)
    .reverse()
    .map((one) => ({
      label: new Date(one.startedAt * 1000).toISOString().slice(5, 16).replace('T', ' '),
      counts: { CRITICAL: one.critical, HIGH: one.high, MEDIUM: one.medium, LOW: one.low },
    }))
}

/** A moment as people write it, in UTC. */
export function moment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export async function collectionNames(store: Store): Promise<Map<number, string>> {
  const { rows } = await store.pool.query<{ id: number; name: string }>(
    'SELECT id, coalesce(host_name, name) AS name FROM collections',
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
