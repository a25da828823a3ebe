/** Words that are looked for in bytes. */
export class ByteWords {
  readonly #words: readonly Uint8Array[]
  /** 1 for the first byte of any word. */
  readonly #begins = new Uint8Array(256)

  /** @param words of ASCII, none empty */
  constructor(words: readonly string[]) {
    this.#words = words.map((word) => Buffer.from(word, 'latin1'))
    for (const word of this.#words) this.#begins[word[0]!] = 1
  }

  /** True when one of them stands between two positions. */
  standIn(bytes: Uint8Array, start: number, end: number): boolean {
    const begins = this.#begins
    for (let at = start; at < end; at++) {
      if (begins[bytes[at]!] === 1 && this.#beginsAt(bytes, at, end)) return true
    }
    return false
  }

  #beginsAt(bytes: Uint8Array, at: number, end: number): boolean {
    return this.#words.some((word) => {
      if (at + word.length > end) return false
      for (let i = 1; i < word.length; i++) if (bytes[at + i] !== word[i]) return false
      return bytes[at] === word[0]
    })
  }
}
