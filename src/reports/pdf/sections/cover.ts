import { type ReportContent, totalOf } from '../../report-content.ts'
import { severityFigures } from '../charts.ts'
import type { PageFlow } from '../page-flow.ts'
import { colors, contentWidth, page, styles } from '../theme.ts'

const BAND = 300
const MAX_FACT_LINES = 6

/** First page: what the report is about, for whom, and the numbers that matter most. */
export function cover(flow: PageFlow, content: ReportContent): void {
  flow.document.rect(0, 0, page.width, BAND).fill(colors.band)
  flow.label('VIGIL', { ...styles.label, size: 11, color: '#9fc3df' }, page.left, 60)
  flow.y = 110
  flow.write(content.title, styles.coverTitle, { maxLines: 3 })
  flow.space(6)
  flow.write(content.subject, styles.coverSubject, { maxLines: 3 })
  flow.y = BAND + 30
  const total = totalOf(content.counts)
  flow.write(total === 1 ? '1 finding' : `${total} findings`, styles.section)
  flow.space(6)
  severityFigures(flow, content.counts)
  flow.space(24)
  for (const [name, value] of content.facts) {
    const top = flow.y
    flow.write(value, styles.body, {
      x: page.left + 150,
      width: contentWidth - 150,
      maxLines: MAX_FACT_LINES,
    })
    flow.label(name, { ...styles.body, color: colors.muted }, page.left, top)
    flow.space(4)
  }
}
