import type { ReportContent, ReportFinding, TestRecord } from '../../reports/index.ts'
import type { IssueSeverity } from '../../store/index.ts'
import type { TemplateCatalogue } from '../../testing/index.ts'
import { categoriesOf, countsOf, weaknessesOf } from './weaknesses.ts'

const SHOWN_ROWS = 300

/** A record in the form that PDF reports are made from; the JSON and HTML forms hold every row. */
export async function recordContent(
  record: TestRecord,
  fingerprint: string,
  { catalogue, madeAt }: { readonly catalogue: TemplateCatalogue; readonly madeAt: number },
): Promise<ReportContent> {
  const idByName = new Map(record.tests.map(({ id, name }) => [name, id]))
  const tests = await catalogue.byIds(record.tests.map(({ id }) => id))
  const found = record.findings.filter(({ severity }) => severity !== 'INFO')
  const weaknesses = weaknessesOf(
    found.map((one) => ({
      testId: idByName.get(one.test) ?? one.test,
      category: '',
      finding: findingOf(one),
    })),
    tests,
  )
  const { totals } = record
  return {
    title: 'Security test record',
    subject: `${record.periodFrom.slice(0, 10)} to ${record.periodTo.slice(0, 10)}`,
    facts: [
      ['Collections', record.collections.join(', ')],
      ['Made', `${record.madeAt} by ${record.madeBy}`],
      ['Installation', `${record.installation}, Vigil ${record.vigilVersion}`],
      [
        'Executions',
        `${totals.executions}, by ${[...new Set(record.executions.map(({ by }) => by))].join(', ') || 'nobody'}`,
      ],
      ['Signed with', `Ed25519 ${fingerprint}`],
    ],
    madeAt,
    counts: countsOf(weaknesses),
    categories: categoriesOf(weaknesses),
    outcomesTitle: 'Checks of the period',
    outcomes: [
      { label: 'Found a weakness', count: totals.vulnerable, tone: 'bad' },
      { label: 'Passed', count: totals.passed, tone: 'good' },
      { label: 'Not verified', count: totals.notVerified, tone: 'unknown' },
      {
        label: 'Needs configuration: a role or setting is missing',
        count: totals.needsConfiguration,
        tone: 'unknown',
      },
      { label: 'Skipped: the test does not apply to the endpoint', count: totals.skipped, tone: 'unknown' },
    ],
    endpointsInScope: totals.endpoints,
    endpointsTested: totals.endpointsTested,
    endpointsWithFindings: record.endpoints.filter(({ vulnerable }) => vulnerable > 0).length,
    trend: [],
    trendTitle: '',
    weaknesses,
    tested: record.endpoints
      .filter(({ lastTestedAt }) => lastTestedAt !== '')
      .slice(0, SHOWN_ROWS)
      .map(({ method, url, vulnerable, passed, notVerified, needsConfiguration, skipped }) => ({
        ...{ method, url, vulnerable, passed },
        tests: vulnerable + passed + notVerified + needsConfiguration + skipped,
        leftOut: notVerified + needsConfiguration + skipped,
      })),
    testedTotal: totals.endpointsTested,
    leftOut: [],
    untested: record.gaps.slice(0, SHOWN_ROWS),
    untestedTotal: record.gaps.length,
  }
}

function findingOf(one: TestRecord['findings'][number]): ReportFinding {
  const at = Math.floor(new Date(one.foundAt).getTime() / 1000)
  return {
    ...{ method: one.method, url: one.url, collection: one.collection, status: one.issueStatus },
    severity: one.severity as IssueSeverity,
    causeKey: `${one.test} ${one.collection} ${one.method} ${one.url}`,
    ...{ note: '', firstSeen: at, lastSeen: at, ticketUrl: null },
    ...{ explanation: `Found in execution ${one.executionId}.`, control: '', request: '', answer: '' },
  }
}
