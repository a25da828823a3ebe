import type { ReportContent } from '../../report-content.ts'
import { chapter, section, table } from '../blocks.ts'
import type { PageFlow } from '../page-flow.ts'
import { shortened } from '../readable-text.ts'
import { styles } from '../theme.ts'

const MAX_URL = 400

/** What was tested, what was left out and why: a report that is silent about its gaps would mislead. */
export function tested(flow: PageFlow, content: ReportContent): void {
  chapter(flow, 'What was tested')
  if (content.tested.length > 0) testedEndpoints(flow, content)
  else flow.write('No test came to a result on the endpoints of this report.', styles.body)
  flow.space(8)
  if (content.leftOut.length > 0) leftOut(flow, content)
  if (content.untested.length > 0) untested(flow, content)
}

function testedEndpoints(flow: PageFlow, { tested: rows, testedTotal }: ReportContent): void {
  section(flow, 'Tested endpoints', 80)
  table(
    flow,
    [
      { title: 'ENDPOINT', share: 0.56, style: styles.cellMono },
      { title: 'TESTS', share: 0.1, isNumber: true },
      { title: 'FOUND', share: 0.1, isNumber: true },
      { title: 'PASSED', share: 0.11, isNumber: true },
      { title: 'LEFT OUT', share: 0.13, isNumber: true },
    ],
    rows.map((row) => [
      `${row.method} ${shortened(row.url, MAX_URL)}`,
      String(row.tests),
      String(row.vulnerable),
      String(row.passed),
      String(row.leftOut),
    ]),
  )
  more(flow, testedTotal - rows.length)
}

function leftOut(flow: PageFlow, { leftOut: rows }: ReportContent): void {
  section(flow, 'Tests that came to no verdict, and why', 80)
  table(
    flow,
    [
      { title: 'REASON', share: 0.44 },
      { title: 'TESTS × ENDPOINTS', share: 0.17, isNumber: true },
      { title: 'ENDPOINTS', share: 0.12, isNumber: true },
      { title: 'TESTS CONCERNED', share: 0.27, style: styles.cellMono },
    ],
    rows.map((row) => [row.reason, String(row.pairs), String(row.endpoints), row.tests.join(', ')]),
  )
}

function untested(flow: PageFlow, { untested: rows, untestedTotal }: ReportContent): void {
  section(flow, 'Endpoints without any test', 80)
  table(
    flow,
    [
      { title: 'ENDPOINT', share: 0.5, style: styles.cellMono },
      { title: 'COLLECTION', share: 0.2 },
      { title: 'REASON', share: 0.3 },
    ],
    rows.map((row) => [`${row.method} ${shortened(row.url, MAX_URL)}`, row.collection, row.reason]),
  )
  more(flow, untestedTotal - rows.length)
}

function more(flow: PageFlow, count: number): void {
  if (count > 0) flow.write(`and ${count} more`, styles.small)
}
