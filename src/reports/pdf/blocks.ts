import type { IssueSeverity } from '../../store/index.ts'
import type { PageFlow } from './page-flow.ts'
import { shortened } from './readable-text.ts'
import { colors, contentWidth, page, severityColors, styles, type TextStyle } from './theme.ts'

const CODE_PADDING = 6
const CELL_PADDING = 4
/** Lines of one cell; a table is to be looked over. */
const MAX_CELL_LINES = 6
const MAX_TITLE = 160

/** Title of a chapter, on a new page. */
export function chapter(flow: PageFlow, title: string): void {
  flow.newPage()
  flow.mark(title, 1)
  flow.write(title, styles.chapter)
  flow.space(8)
}

/** Title of a section; stays with what follows. */
export function section(flow: PageFlow, title: string, keepWith = 60): void {
  flow.need(styles.section.size * 1.3 + keepWith)
  flow.write(shortened(title, MAX_TITLE), styles.section)
  flow.space(4)
}

/** A small title in front of a text. */
export function heading(flow: PageFlow, title: string, keepWith = 30): void {
  flow.need(styles.heading.size * 1.4 + keepWith)
  flow.space(4)
  flow.write(title, styles.heading)
}

/** The word of a severity on its colour; @returns the width that it took. */
export function severityBadge(flow: PageFlow, severity: IssueSeverity, x: number, y: number): number {
  const style: TextStyle = { ...styles.label, color: colors.white }
  const width = flow.width(severity, style) + 10
  flow.document.roundedRect(x, y, width, 13, 3).fill(severityColors[severity])
  flow.label(severity, style, x + 5, y + 1.5)
  return width
}

/** Text as it was on the wire, on a panel that continues over pages. */
export function code(flow: PageFlow, text: string, maxLines: number): void {
  const style = styles.code
  const height = style.size * style.leading
  const lines = flow.lines(text.trimEnd(), style, { width: contentWidth - 2 * CODE_PADDING, maxLines })
  let at = 0
  while (at < lines.length) {
    flow.need(Math.min(3, lines.length - at) * height + 2 * CODE_PADDING)
    const fitting = Math.max(1, Math.floor((flow.room - 2 * CODE_PADDING) / height))
    const part = lines.slice(at, at + fitting)
    const boxHeight = part.length * height + 2 * CODE_PADDING
    flow.document.roundedRect(page.left, flow.y, contentWidth, boxHeight, 3).fill(colors.panel)
    part.forEach((line, index) => {
      flow.line(line, style, page.left + CODE_PADDING, flow.y + CODE_PADDING + index * height)
    })
    flow.y += boxHeight
    at += part.length
    if (at < lines.length) flow.newPage()
  }
  flow.space(6)
}

interface TableColumn {
  readonly title: string
  /** Part of the width of the page; all parts make 1. */
  readonly share: number
  readonly style?: TextStyle
  readonly isNumber?: boolean
}

/** A table whose head comes again on every page. A cell that starts with a severity alone is its badge. */
export function table(
  flow: PageFlow,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const left = columns.map((_column, index) =>
    columns.slice(0, index).reduce<number>((x, { share }) => x + share * contentWidth, page.left),
  )
  const head = (): void => {
    columns.forEach((column, index) => {
      const right = left[index]! + column.share * contentWidth - CELL_PADDING
      flow.label(
        column.title,
        styles.label,
        left[index]! + CELL_PADDING,
        flow.y,
        column.isNumber ? right : undefined,
      )
    })
    flow.y += 15
    flow.rule()
  }
  flow.need(60)
  head()
  for (const row of rows) {
    const cells = columns.map((column, index) => {
      const style = column.style ?? styles.cell
      const width = column.share * contentWidth - 2 * CELL_PADDING
      return { style, lines: flow.lines(row[index] ?? '', style, { width, maxLines: MAX_CELL_LINES }) }
    })
    const height =
      Math.max(...cells.map(({ style, lines }) => lines.length * style.size * style.leading)) +
      2 * CELL_PADDING
    if (flow.room < height) {
      flow.newPage()
      head()
    }
    columns.forEach((column, index) => {
      const { style, lines } = cells[index]!
      const x = left[index]! + CELL_PADDING
      const text = row[index] ?? ''
      if (text in severityColors) {
        severityBadge(flow, text as IssueSeverity, x, flow.y + 3)
        return
      }
      lines.forEach((line, number) => {
        const right = left[index]! + column.share * contentWidth - CELL_PADDING
        const y = flow.y + CELL_PADDING + number * style.size * style.leading
        flow.line(line, style, column.isNumber ? right - line.width : x, y)
      })
    })
    flow.y += height
    flow.rule()
  }
  flow.space(10)
}
