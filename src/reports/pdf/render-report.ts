import type { ReportContent } from '../report-content.ts'
import { PageFlow } from './page-flow.ts'
import { contents, contentsPages } from './sections/contents.ts'
import { cover } from './sections/cover.ts'
import { findings } from './sections/findings.ts'
import { summary } from './sections/summary.ts'
import { tested } from './sections/tested.ts'
import { page, styles } from './theme.ts'

/** Chapters beside the weaknesses in the table of contents. */
const CHAPTERS = 3

/** The report as a PDF: A4, fonts embedded, with outline, links and page numbers. Takes the thread it runs on. */
export function renderReport(content: ReportContent): Promise<Uint8Array> {
  const flow = new PageFlow({ title: content.title, madeAt: new Date(content.madeAt * 1000) })
  cover(flow, content)
  const pages = contentsPages(CHAPTERS + content.weaknesses.length)
  for (let at = 0; at < pages; at++) flow.newPage()
  summary(flow, content)
  findings(flow, content.weaknesses)
  tested(flow, content)
  contents(flow, 1, pages)
  footers(flow, content.title)
  return flow.finish()
}

function footers(flow: PageFlow, title: string): void {
  const { start, count } = flow.document.bufferedPageRange()
  for (let number = 1; number < count; number++) {
    flow.document.switchToPage(start + number)
    const y = page.height - 38
    flow.y = y - 6
    flow.rule()
    flow.label(flow.fitted(title, styles.small, 380), styles.small, page.left, y)
    flow.label(`Page ${number + 1} of ${count}`, styles.small, 0, y, page.width - page.right)
  }
}
