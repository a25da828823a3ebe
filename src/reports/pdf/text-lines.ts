import type { FontBook, OpenFont } from './fonts.ts'
import { missingMark, readableText } from './readable-text.ts'
import type { TextStyle } from './theme.ts'

/** A piece of a line in one font. */
interface Run {
  readonly text: string
  readonly font: OpenFont
  /** Points. */
  readonly width: number
  readonly isRightToLeft: boolean
}

/** A line, its runs in the order in which they are seen. */
export interface TextLine {
  readonly runs: readonly Run[]
  readonly width: number
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const WORDS = /\s+|[^\s]+/g
/** Where a long word may be broken even before its line is full: after these. */
const BREAKS = /[/?&=,;.:_-]/
/** A word is not begun where less than this is left of the line, in multiples of the size. */
const LEAST_ROOM = 3
/** East Asian text has no spaces: it may be broken anywhere. */
const EAST_ASIAN = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3ffff}]/u

/**
 * Breaks text into lines no wider than `width`. Each character comes from the first font that has it. Words that are
 * too long are broken after a mark of punctuation, else anywhere.
 */
export function breakLines(text: string, style: TextStyle, width: number, fonts: FontBook): TextLine[] {
  const measure = new Measure(style, fonts)
  const lines: TextLine[] = []
  for (const paragraph of readableText(text).split('\n')) {
    let line: Run[] = []
    let used = 0
    const end = (): void => {
      lines.push(lineOf(line))
      line = []
      used = 0
    }
    for (const word of paragraph.match(WORDS) ?? []) {
      const isSpace = /^\s/.test(word)
      if (isSpace && line.length === 0 && style.face !== 'mono') continue
      const size = measure.width(word)
      if (used + size <= width) {
        line.push(...measure.runs(word))
        used += size
        continue
      }
      if (isSpace) continue
      const isTight = width - used < LEAST_ROOM * style.size
      if (line.length > 0 && (isTight || (size <= width && !breaksAnywhere(word, style)))) end()
      for (const part of partsOf(word, width - used, width, measure)) {
        const partWidth = measure.width(part)
        if (used > 0 && used + partWidth > width) end()
        line.push(...measure.runs(part))
        used += partWidth
      }
    }
    end()
  }
  return lines
}

/** Width of a text on one line. */
export function textWidth(text: string, style: TextStyle, fonts: FontBook): number {
  return new Measure(style, fonts).width(readableText(text).replaceAll('\n', ' '))
}

/** Text of the wire fills its lines; East Asian text has no spaces. */
function breaksAnywhere(word: string, style: TextStyle): boolean {
  return style.face === 'mono' || EAST_ASIAN.test(word)
}

/** A long word in parts that fit: the first into what is left of its line, the others into whole lines. */
function partsOf(word: string, first: number, width: number, measure: Measure): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  /** Length of `part` after which it may be broken well. */
  let good = 0
  let room = first
  for (const char of word) {
    const size = measure.charWidth(char)
    if (used + size > room && part !== '') {
      const at = good > part.length / 3 ? good : part.length
      parts.push(part.slice(0, at))
      part = part.slice(at)
      used = measure.width(part)
      good = 0
      room = width
    }
    part += char
    used += size
    if (BREAKS.test(char) || EAST_ASIAN.test(char)) good = part.length
  }
  if (part !== '') parts.push(part)
  return parts
}

/** Right-to-left runs that follow each other are seen in the opposite order. */
function lineOf(runs: readonly Run[]): TextLine {
  const seen: Run[] = []
  for (let at = 0; at < runs.length; ) {
    const run = runs[at]!
    if (!run.isRightToLeft) {
      seen.push(run)
      at++
      continue
    }
    let end = at + 1
    for (let next = end; next < runs.length; next++) {
      const one = runs[next]!
      if (one.isRightToLeft) end = next + 1
      else if (one.text.trim() !== '') break
    }
    seen.push(...runs.slice(at, end).reverse())
    at = end
  }
  return { runs: joined(seen), width: runs.reduce((sum, run) => sum + run.width, 0) }
}

/** Neighbours of one font become one run: fewer, longer texts in the file. */
function joined(runs: readonly Run[]): Run[] {
  const joint: Run[] = []
  for (const run of runs) {
    const last = joint.at(-1)
    const fits = last !== undefined && last.font === run.font && !last.isRightToLeft && !run.isRightToLeft
    if (fits) joint[joint.length - 1] = { ...last, text: last.text + run.text, width: last.width + run.width }
    else joint.push(run)
  }
  return joint
}

class Measure {
  readonly #style: TextStyle
  readonly #fonts: FontBook
  readonly #widths = new Map<string, number>()

  constructor(style: TextStyle, fonts: FontBook) {
    this.#style = style
    this.#fonts = fonts
  }

  charWidth(char: string): number {
    const known = this.#widths.get(char)
    if (known !== undefined) return known
    const [shown, font] = this.#fontOf(char)
    const { advanceWidth } = font.font.glyphForCodePoint(shown.codePointAt(0)!)
    const width = (advanceWidth / font.font.unitsPerEm) * this.#style.size
    this.#widths.set(char, width)
    return width
  }

  width(text: string): number {
    if (RIGHT_TO_LEFT.test(text)) return this.runs(text).reduce((sum, run) => sum + run.width, 0)
    let sum = 0
    for (const char of text) sum += this.charWidth(char)
    return sum
  }

  runs(word: string): Run[] {
    const runs: Run[] = []
    for (const char of word) {
      const [shown, font] = this.#fontOf(char)
      const isRightToLeft = RIGHT_TO_LEFT.test(char)
      const last = runs.at(-1)
      const width = this.charWidth(char)
      if (last !== undefined && last.font === font && last.isRightToLeft === isRightToLeft)
        runs[runs.length - 1] = { ...last, text: last.text + shown, width: last.width + width }
      else runs.push({ text: shown, font, width, isRightToLeft })
    }
    return runs.map((run) => (run.isRightToLeft ? { ...run, width: this.#joinedWidth(run) } : run))
  }

  /** Letters that join are narrower together than apart. */
  #joinedWidth({ text, font }: Run): number {
    return (font.font.layout(text).advanceWidth / font.font.unitsPerEm) * this.#style.size
  }

  /** A character that no font has is a mark; the mark itself is in the fonts, or a question mark is. */
  #fontOf(char: string): [string, OpenFont] {
    const { face } = this.#style
    for (const shown of [char, missingMark, '?']) {
      const font = this.#fonts.fontOf(face, shown.codePointAt(0)!)
      if (font !== null) return [shown, font]
    }
    throw new Error('a font of the report has no question mark')
  }
}
