/** Every text has at least this length; its first characters select it. */
const PREFIX = 6

/** Finds many texts in another one, in a time that hardly grows with their number. */
export class SecretFinder {
  readonly #texts: ReadonlySet<string>
  /** Lengths of the texts with a prefix, the longest first. */
  readonly #lengths = new Map<string, number[]>()
  /** Which hashes of two characters begin a text. */
  readonly #begins = new Uint8Array(65_536)

  /** @param texts each of at least six characters */
  constructor(texts: Iterable<string>) {
    this.#texts = new Set(texts)
    for (const text of this.#texts) {
      const prefix = text.slice(0, PREFIX)
      const lengths = this.#lengths.get(prefix)
      if (lengths === undefined) this.#lengths.set(prefix, [text.length])
      else if (!lengths.includes(text.length)) lengths.push(text.length)
      this.#begins[pairAt(text, 0)] = 1
    }
    for (const lengths of this.#lengths.values()) lengths.sort((a, b) => b - a)
  }

  /** Replaces every one that occurs; those that overlap together, as the longest of them. */
  replace(text: string, maskOf: (secret: string) => string): string {
    if (this.#texts.size === 0) return text
    let result = ''
    let copied = 0
    let start = 0
    let end = 0
    let longest = ''
    const flush = (): void => {
      if (longest === '') return
      result += text.slice(copied, start) + maskOf(longest)
      copied = end
      longest = ''
    }
    for (let at = 0; at + PREFIX <= text.length; at++) {
      if (at === end) flush()
      if (this.#begins[pairAt(text, at)] === 0) continue
      const secret = this.#at(text, at)
      if (secret === '') continue
      if (longest === '') start = at
      if (secret.length > longest.length) longest = secret
      end = Math.max(end, at + secret.length)
    }
    flush()
    return copied === 0 ? text : result + text.slice(copied)
  }

  /** The longest that begins at a place; '' for none. */
  #at(text: string, at: number): string {
    for (const length of this.#lengths.get(text.slice(at, at + PREFIX)) ?? []) {
      const candidate = text.slice(at, at + length)
      if (this.#texts.has(candidate)) return candidate
    }
    return ''
  }
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 251 + text.charCodeAt(at + 1)) & 0xffff
}
