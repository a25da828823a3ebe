import { type ReportContent, type ReportWeakness, totalOf } from '../../report-content.ts'
import { chapter, section, table } from '../blocks.ts'
import { categoryBars, outcomeBar, severityFigures, trendColumns } from '../charts.ts'
import type { PageFlow } from '../page-flow.ts'
import { styles } from '../theme.ts'

const TOP_RISKS = 10
const MOST_CATEGORIES = 14
const TREND_POINTS = 12

/** One or two pages for who decides: how bad it is, where, whether it gets better, what to do first. */
export function summary(flow: PageFlow, content: ReportContent): void {
  chapter(flow, 'Summary')
  flow.write(sentences(content), styles.body)
  flow.space(12)
  section(flow, 'Findings by severity')
  severityFigures(flow, content.counts)
  if (content.categories.length > 0) {
    section(flow, 'Findings by OWASP category', 80)
    categoryBars(flow, content.categories.slice(0, MOST_CATEGORIES))
    flow.space(8)
  }
  if (content.outcomes.some(({ count }) => count > 0)) {
    section(flow, content.outcomesTitle, 80)
    outcomeBar(flow, content.outcomes)
  }
  if (content.trend.length > 1) {
    section(flow, content.trendTitle, 150)
    flow.space(8)
    trendColumns(flow, content.trend.slice(-TREND_POINTS))
    flow.space(8)
  }
  topRisks(flow, content.weaknesses)
}

function sentences(content: ReportContent): string {
  const { counts, endpointsInScope, endpointsTested, endpointsWithFindings } = content
  const total = totalOf(counts)
  const scope = `${endpointsTested} of ${plural(endpointsInScope, 'endpoint')} in scope ${endpointsTested === 1 ? 'was' : 'were'} tested.`
  if (total === 0) return `Nothing was found. ${scope}`
  const urgent = counts.CRITICAL + counts.HIGH
  const found = `${plural(total, 'finding')} on ${plural(endpointsWithFindings, 'endpoint')}, from ${plural(content.weaknesses.length, 'kind')} of weakness.`
  const advice =
    urgent === 0
      ? 'None of them is critical or high.'
      : `${urgent} of them ${urgent === 1 ? 'is' : 'are'} critical or high and should be remedied first.`
  return `${found} ${advice} ${scope} Every finding was proven by a request and confirmed by a control.`
}

/** `3 endpoints`, `1 endpoint`. */
function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function topRisks(flow: PageFlow, weaknesses: readonly ReportWeakness[]): void {
  if (weaknesses.length === 0) return
  section(flow, 'Top risks', 80)
  flow.write('What to remedy first: the worst, then the most widespread.', styles.small)
  flow.space(6)
  table(
    flow,
    [
      { title: 'SEVERITY', share: 0.14 },
      { title: 'WEAKNESS', share: 0.36, style: styles.cellStrong },
      { title: 'PLACES', share: 0.09, isNumber: true },
      { title: 'WHAT IT MEANS', share: 0.41 },
    ],
    weaknesses
      .slice(0, TOP_RISKS)
      .map((weakness) => [
        weakness.severity,
        weakness.name,
        String(weakness.findings.length),
        weakness.impact || weakness.description,
      ]),
  )
}
