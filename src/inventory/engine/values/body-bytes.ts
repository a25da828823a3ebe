/** Longest body that is read on the straight path, in characters; larger ones go through the bounded reader. */
export const PLAIN_JSON_LIMIT = 262_144
/** A character takes three bytes at most; some room for the last word. */
const SIZE = 3 * PLAIN_JSON_LIMIT + 8

/** JSON text as UTF-8 in memory, and how a part of it is cut out. The byte behind a text may be written. */
export interface TextBytes {
  readonly bytes: Uint8Array
  /** The text between two byte offsets. */
  slice(start: number, end: number): string
}

/**
 * A text as UTF-8 in memory that is used again and again: reading bytes is several times cheaper than asking a
 * string for its characters. One holder serves all texts of its kind, one after the other.
 */
export class BodyBytes implements TextBytes {
  readonly #buffer = Buffer.alloc(SIZE)
  readonly bytes = new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset, SIZE)
  readonly words = new Int32Array(this.#buffer.buffer, this.#buffer.byteOffset, SIZE >> 2)
  length = 0
  #text = ''

  /** Takes a text; false when it is too long. */
  load(text: string): boolean {
    if (text === this.#text) return true
    if (text.length > PLAIN_JSON_LIMIT) return false
    this.length = this.#buffer.write(text, 0, 'utf8')
    this.#text = text
    return true
  }

  slice(start: number, end: number): string {
    return this.length === this.#text.length
      ? this.#text.slice(start, end)
      : this.#buffer.toString('utf8', start, end)
  }
}

/** Bodies of the message being read. */
export const requestBytes = new BodyBytes()
export const responseBytes = new BodyBytes()
