import type { Entry, PageFlow } from '../page-flow.ts'
import { colors, contentWidth, page, styles } from '../theme.ts'

const LINE = 17
const HEAD = 50
const PER_PAGE = Math.floor((page.height - page.top - page.bottom - HEAD) / LINE)
/** Entries beyond are left out of the printed table; the outline of the document has them all. */
const MAX_PAGES = 8

/** Pages that a table of this many entries takes. */
export function contentsPages(entries: number): number {
  return Math.min(MAX_PAGES, Math.max(1, Math.ceil(entries / PER_PAGE)))
}

/** Fills the pages that were left free for it, from `first`; every line is a link. */
export function contents(flow: PageFlow, first: number, pages: number): void {
  const outlines: PDFKit.PDFOutline[] = []
  for (const entry of flow.entries) addOutline(flow, entry, outlines)
  const shown = flow.entries.slice(0, pages * PER_PAGE)
  for (let at = 0; at < pages; at++) {
    flow.document.switchToPage(first + at)
    flow.y = page.top
    if (at === 0) flow.write('Contents', styles.chapter)
    flow.y = page.top + HEAD
    for (const entry of shown.slice(at * PER_PAGE, (at + 1) * PER_PAGE)) line(flow, entry)
  }
}

function line(flow: PageFlow, entry: Entry): void {
  const indent = entry.level === 1 ? 0 : 14
  const style = entry.level === 1 ? styles.strong : styles.cell
  const number = String(entry.page + 1)
  const x = page.left + indent
  if (entry.color !== colors.ink) flow.document.circle(x + 3, flow.y + 7, 2.5).fill(entry.color)
  const from = entry.color === colors.ink ? x : x + 11
  const room = contentWidth - 40 - (from - page.left)
  const title = flow.fitted(entry.title, style, room)
  flow.label(title, style, from, flow.y)
  flow.label(number, style, 0, flow.y, page.width - page.right)
  const end = from + flow.width(title, style) + 6
  const numberLeft = page.width - page.right - flow.width(number, style) - 6
  if (numberLeft > end)
    flow.document
      .moveTo(end, flow.y + 10)
      .lineTo(numberLeft, flow.y + 10)
      .lineWidth(0.6)
      .dash(0.8, { space: 2.4 })
      .strokeColor(colors.rule)
      .stroke()
      .undash()
  flow.document.goTo(page.left, flow.y, contentWidth, LINE - 2, entry.place)
  flow.y += LINE
}

function addOutline(flow: PageFlow, entry: Entry, outlines: PDFKit.PDFOutline[]): void {
  flow.document.switchToPage(entry.page)
  const parent = entry.level === 1 ? flow.document.outline : (outlines.at(-1) ?? flow.document.outline)
  const item = parent.addItem(entry.title)
  if (entry.level === 1) outlines.push(item)
}
