/** A place in a text as editors show it; both numbers start at 1. */
export interface LinePosition {
  readonly line: number
  readonly column: number
}

/** Line and column of an offset, by counting line feeds from the start. */
export function linePosition(text: string, offset: number): LinePosition {
  return new LineCursor(text).at(offset)
}

/** Positions of growing offsets in one text, each line feed counted once however many positions are asked for. */
export class LineCursor {
  private readonly text: string
  private line = 1
  private lineStart = 0
  private nextBreak: number

  constructor(text: string) {
    this.text = text
    this.nextBreak = text.indexOf('\n')
  }

  /** Position of `offset`; an offset before an earlier one gives the position of the line already reached. */
  at(offset: number): LinePosition {
    while (this.nextBreak >= 0 && this.nextBreak < offset) {
      this.line += 1
      this.lineStart = this.nextBreak + 1
      this.nextBreak = this.text.indexOf('\n', this.lineStart)
    }
    return { line: this.line, column: Math.max(0, offset - this.lineStart) + 1 }
  }
}
