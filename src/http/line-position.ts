/** A place in a text as editors show it; both numbers start at 1. */
interface LinePosition {
  readonly line: number
  readonly column: number
}

/** Line and column of an offset, by counting line feeds from the start. */
export function linePosition(text: string, offset: number): LinePosition {
  return new LineCursor(text).at(offset)
}

/**
 * Positions of many offsets in one text. Each answer starts from the one before, so that growing offsets cost one
 * pass over the text together; going back costs the distance.
 */
export class LineCursor {
  readonly #text: string
  #line = 1
  #lineStart = 0
  #nextBreak: number

  constructor(text: string) {
    this.#text = text
    this.#nextBreak = text.indexOf('\n')
  }

  at(offset: number): LinePosition {
    while (this.#nextBreak >= 0 && this.#nextBreak < offset) {
      this.#line++
      this.#lineStart = this.#nextBreak + 1
      this.#nextBreak = this.#text.indexOf('\n', this.#lineStart)
    }
    while (offset < this.#lineStart) {
      this.#line--
      this.#nextBreak = this.#lineStart - 1
      this.#lineStart = this.#nextBreak === 0 ? 0 : this.#text.lastIndexOf('\n', this.#nextBreak - 1) + 1
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 }
  }
}
