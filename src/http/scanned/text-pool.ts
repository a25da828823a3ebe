/** Texts that are kept, by a hash of their bytes; the latest of two with one place stays. A power of two. */
const SLOTS = 32_768
/** Longer texts are hardly ever met again. */
export const MAX_KEPT_LENGTH = 200
const FIRST_PRINTABLE = 32
const LAST_PRINTABLE = 126

/** Texts met lately: an equal one is the same text again, which costs no memory and is found in maps at once. */
export class TextPool {
  readonly #texts = new Array<string>(SLOTS).fill('')

  /** The text of printable ASCII bytes; null when others are among them. */
  of(bytes: Uint8Array, start: number, end: number): string | null {
    const length = end - start
    if (length === 0) return ''
    let hash = length
    for (let at = start; at < end; at++) {
      const code = bytes[at]!
      if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) return null
      hash = (Math.imul(hash, 31) + code) | 0
    }
    if (length > MAX_KEPT_LENGTH) return asciiOf(bytes, start, end)
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const known = this.#texts[slot]!
    if (standsAt(known, bytes, start, end)) return known
    const text = asciiOf(bytes, start, end)
    this.#texts[slot] = text
    return text
  }
}

/** True when a text of ASCII stands between two positions. */
export function standsAt(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = text
  if (length !== end - start) return false
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}
