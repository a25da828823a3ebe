import { IS_SET_ASIDE } from '../../inventory/index.ts'
import { type IssueView, listIssues } from '../../issues/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import type {
  ReportContent,
  ReportDefinition,
  ReportFinding,
  SeverityCounts,
  TrendPoint,
  UntestedEndpoint,
} from '../../reports/index.ts'
import type { Store } from '../../store/index.ts'
import { baseUrlOf } from '../base-url.ts'
import { proofTexts } from './evidence-text.ts'
import { collectionsOf, filterTexts, issueFilterOf } from './report-filters.ts'
import { shownRows } from './run-figures.ts'
import { collectionNames, type GatherDeps, maxFindings, moment } from './run-report.ts'
import { categoriesOf, countsOf, noCounts, placesOf, weaknessesOf } from './weaknesses.ts'

const TREND_BUCKETS = 12
const DAY = 86_400

/** Reads the report of the issues that a definition means. */
export async function gatherIssues(
  { store, settings, catalogue }: GatherDeps,
  definition: ReportDefinition,
): Promise<ReportContent> {
  const filter = issueFilterOf(definition)
  const issues = await listIssues(store, filter, {
    sort: 'severity',
    isAscending: false,
    skip: 0,
    limit: maxFindings,
  })
  const tests = await catalogue.described([...new Set(issues.map((issue) => issue.testId))])
  const proofs = await proofTexts(
    store,
    issues.flatMap(({ resultId }) => resultId ?? []),
  )
  const names = await collectionNames(store)
  const weaknesses = weaknessesOf(
    issues.map((issue) => ({
      testId: issue.testId,
      category: issue.category,
      finding: findingOf(issue, names.get(issue.collectionId) ?? '', proofs.get(issue.resultId ?? '')),
    })),
    tests,
  )
  const scope = await scopeOf(store, definition, issues)
  return {
    title: 'Security issues',
    subject: subjectOf(definition, names),
    facts: [
      ['Issues', `${new Set(issues.map(({ causeKey }) => causeKey)).size} at ${issues.length} places`],
      ...filterFacts(definition, names),
      ['Report for', definition.userLogin],
      ['Made', `${moment(nowSeconds())}, by ${baseUrlOf(settings)}`],
    ],
    madeAt: nowSeconds(),
    counts: countsOf(weaknesses),
    categories: categoriesOf(weaknesses),
    outcomes: [
      { label: 'Tested, with an issue of this report', count: placesOf(weaknesses), tone: 'bad' },
      { label: 'Tested, without', count: Math.max(scope.tested - placesOf(weaknesses), 0), tone: 'good' },
      { label: 'Never tested', count: scope.total - scope.tested, tone: 'unknown' },
    ],
    outcomesTitle: 'Endpoints in scope',
    endpointsInScope: scope.total,
    endpointsTested: scope.tested,
    endpointsWithFindings: placesOf(weaknesses),
    trend: trendOf(issues),
    trendTitle: 'When these issues were first found',
    weaknesses,
    tested: [],
    testedTotal: 0,
    leftOut: [],
    untested: scope.untested,
    untestedTotal: scope.total - scope.tested,
  }
}

function findingOf(
  issue: IssueView,
  collection: string,
  proof: Pick<ReportFinding, 'explanation' | 'control' | 'request' | 'answer'> | undefined,
): ReportFinding {
  const reason = issue.ignoreReason === null ? [] : [`ignored: ${issue.ignoreReason}`]
  return {
    method: issue.method,
    url: issue.url,
    collection,
    severity: issue.severity,
    causeKey: issue.causeKey,
    status: issue.status,
    note: [...reason, issue.description ?? ''].filter((text) => text !== '').join('; '),
    firstSeen: issue.createdAt,
    lastSeen: issue.lastSeen,
    ticketUrl: issue.ticketUrl,
    ...(proof ?? { explanation: '', control: '', request: '', answer: '' }),
  }
}

function subjectOf({ filters, issueKeys }: ReportDefinition, names: ReadonlyMap<number, string>): string {
  if (issueKeys !== null)
    return issueKeys.length === 1 ? 'One chosen issue' : `${issueKeys.length} chosen issues`
  const collections = collectionsOf(filters)
  return collections.length === 0
    ? 'All collections'
    : `Collections ${collections.map((id) => names.get(id) ?? String(id)).join(', ')}`
}

/** What was asked for, in words. */
function filterFacts(
  { filters, issueKeys }: ReportDefinition,
  names: ReadonlyMap<number, string>,
): [string, string][] {
  if (issueKeys !== null) return []
  const told: [string, string][] = [
    ['Status', filterTexts(filters, 'filterStatus').join(', ') || 'OPEN'],
    ['Severity', filterTexts(filters, 'filterSeverity').join(', ') || 'all'],
  ]
  const collections = collectionsOf(filters).map((id) => names.get(id) ?? String(id))
  return collections.length === 0 ? told : [...told, ['Collections', collections.join(', ')]]
}

interface Scope {
  total: number
  tested: number
  untested: UntestedEndpoint[]
}

/** The endpoints of the collections that the report is about, and those that no test ever reached. */
async function scopeOf(
  store: Store,
  { filters, issueKeys, visible }: ReportDefinition,
  issues: readonly IssueView[],
): Promise<Scope> {
  const named =
    issueKeys === null ? collectionsOf(filters) : [...new Set(issues.map((one) => one.collectionId))]
  const values = [visible, named.length === 0 ? null : named]
  const endpoints = `FROM endpoints e JOIN collections c ON c.id = e.collection_id
    WHERE e.is_listed AND NOT c.is_deactivated AND ($1::integer[] IS NULL OR e.collection_id = ANY ($1))
      AND ($2::integer[] IS NULL OR e.collection_id = ANY ($2) OR e.id IN (
        SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY ($2)))`
  const { rows } = await store.pool.query<{ total: number; tested: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE e.last_tested > 0) AS tested ${endpoints}`,
    values,
  )
  const { rows: untested } = await store.pool.query<UntestedEndpoint>(
    `SELECT e.method, e.url, coalesce(c.host_name, c.name) AS collection,
       CASE WHEN c.is_out_of_testing_scope THEN 'Its collection is out of testing scope'
         WHEN ${IS_SET_ASIDE} THEN 'It was deactivated or is ignored'
         ELSE 'No test has been run on it' END AS reason
     ${endpoints} AND e.last_tested <= 0 ORDER BY c.id, e.url, e.method LIMIT ${shownRows}`,
    values,
  )
  return { ...rows[0]!, untested }
}

/** The issues of the report by the time of their creation, in buckets of days, weeks or thirty days. */
function trendOf(issues: readonly IssueView[]): TrendPoint[] {
  const times = issues.map((issue) => issue.createdAt)
  const first = Math.min(...times)
  const days = (Math.max(...times) - first) / DAY + 1
  const length = (days <= TREND_BUCKETS ? 1 : days <= 7 * TREND_BUCKETS ? 7 : 30) * DAY
  const points = new Map<number, SeverityCounts>()
  for (const { createdAt, severity } of issues) {
    const at = Math.floor((createdAt - first) / length)
    const counts = points.get(at) ?? noCounts()
    counts[severity]++
    points.set(at, counts)
  }
  const last = Math.max(...points.keys(), 0)
  return Array.from({ length: points.size === 0 ? 0 : last + 1 }, (_none, at) => ({
    label: new Date((first + at * length) * 1000).toISOString().slice(0, 10),
    counts: points.get(at) ?? noCounts(),
  })).slice(-TREND_BUCKETS)
}
