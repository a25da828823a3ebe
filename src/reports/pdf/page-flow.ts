import PDFDocument from 'pdfkit'
import { type FontBook, FontBook as Fonts } from './fonts.ts'
import { breakLines, type TextLine, textWidth } from './text-lines.ts'
import { colors, contentWidth, page, styles, type TextStyle } from './theme.ts'

/** Half the height of a capital letter, as a part of the size. */
const HALF_CAPITAL = 0.36

/** What a chapter or finding is called in the table of contents. */
export interface Entry {
  readonly title: string
  readonly level: 1 | 2
  /** Name of the place in the document. */
  readonly place: string
  /** Page that it stands on, the first is 0. */
  readonly page: number
  readonly color: string
}

/** Where text goes; the whole width of the page unless told otherwise. */
interface Column {
  readonly x?: number
  readonly width?: number
  /** Lines beyond are left out, and the last one says so. */
  readonly maxLines?: number
}

/** Writes from top to bottom over pages of A4. Every other part of the report draws through it. */
export class PageFlow {
  readonly document: PDFKit.PDFDocument
  readonly fonts: FontBook = new Fonts()
  readonly entries: Entry[] = []
  y: number = page.top
  #pageNumber = 0

  constructor(info: { readonly title: string; readonly madeAt: Date }) {
    this.document = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      bufferPages: true,
      // Every text names one of the fonts of reports; the standard fonts are not loaded.
      font: '',
      lang: 'en',
      displayTitle: true,
      pdfVersion: '1.7',
      info: { Title: info.title, Creator: 'Vigil', Producer: 'Vigil', CreationDate: info.madeAt },
    })
  }

  /** Room left on this page, points. */
  get room(): number {
    return page.height - page.bottom - this.y
  }

  newPage(): void {
    this.document.addPage()
    this.#pageNumber++
    this.y = page.top
  }

  /** Begins a new page unless so much room is left. */
  need(height: number): void {
    if (this.room < height) this.newPage()
  }

  space(height: number): void {
    this.y = Math.min(this.y + height, page.height - page.bottom)
  }

  /** Notes a place for the table of contents and the outline. */
  mark(title: string, level: Entry['level'], color: string = colors.ink): void {
    const place = `place-${this.entries.length}`
    this.document.addNamedDestination(place, 'XYZ', 0, Math.max(this.y - 20, 0), null)
    this.entries.push({ title, level, place, page: this.#pageNumber, color })
  }

  lines(text: string, style: TextStyle, column: Column = {}): TextLine[] {
    const lines = breakLines(text, style, column.width ?? contentWidth, this.fonts)
    const { maxLines } = column
    if (maxLines === undefined || lines.length <= maxLines) return lines
    const kept = lines.slice(0, maxLines - 1)
    const rest = `… ${lines.length - maxLines + 1} more lines`
    return [
      ...kept,
      ...breakLines(rest, { ...style, color: colors.muted }, column.width ?? contentWidth, this.fonts),
    ]
  }

  /** Writes text, over pages where it must. */
  write(text: string, style: TextStyle = styles.body, column: Column = {}): void {
    const height = style.size * style.leading
    for (const line of this.lines(text, style, column)) {
      this.need(height)
      this.line(line, style, column.x ?? page.left, this.y)
      this.y += height
    }
  }

  /** Draws one line at a place. */
  line(line: TextLine, style: TextStyle, x: number, y: number): void {
    let at = x
    // Fonts of one line share its baseline, which leaves the text in the middle of the line.
    const base = y + style.size * (style.leading / 2 + HALF_CAPITAL)
    for (const run of line.runs) {
      if (run.text.trim() !== '') this.#draw(run.text, run.font, style, at, base)
      at += run.width
    }
  }

  /** Draws text on one line at a place; `right` is the edge that it ends at, when given. */
  label(text: string, style: TextStyle, x: number, y: number, right?: number): void {
    const [line] = breakLines(text, style, 10_000, this.fonts)
    if (line !== undefined) this.line(line, style, right === undefined ? x : right - line.width, y)
  }

  width(text: string, style: TextStyle): number {
    return textWidth(text, style, this.fonts)
  }

  /** The start of a text that fits one line of this many points. */
  fitted(text: string, style: TextStyle, width: number): string {
    const [line] = breakLines(text.replaceAll('\n', ' '), style, width - style.size, this.fonts)
    const shown = line?.runs.map((run) => run.text).join('') ?? ''
    return this.width(text, style) <= width ? text : `${shown.trimEnd()}…`
  }

  rule(): void {
    this.document
      .moveTo(page.left, this.y)
      .lineTo(page.width - page.right, this.y)
      .lineWidth(0.5)
      .strokeColor(colors.rule)
      .stroke()
  }

  /** Ends the document; @returns its bytes. */
  finish(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      this.document.on('data', (part: Buffer) => parts.push(part))
      this.document.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
      this.document.on('error', reject)
      this.document.end()
    })
  }

  readonly #registered = new Set<string>()

  #draw(text: string, font: { key: string; bytes: Buffer }, style: TextStyle, x: number, y: number): void {
    if (!this.#registered.has(font.key)) {
      this.document.registerFont(font.key, font.bytes)
      this.#registered.add(font.key)
    }
    this.document
      .font(font.key)
      .fontSize(style.size)
      .fillColor(style.color)
      // Ligatures and kerning would make the text as wide as nobody measured.
      .text(text, x, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        features: { liga: false, kern: false, clig: false } as never,
      })
  }
}
