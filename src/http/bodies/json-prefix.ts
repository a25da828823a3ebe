import type { BodyLimits, BodyObject, BodyValue } from './body-value.ts'
import { emptyObject } from './body-value.ts'

/** What could be read of a JSON text that is too large, cut off or broken. */
export interface JsonPrefix {
  readonly value: BodyValue
  readonly isTruncated: boolean
}

/**
 * Reads JSON from its beginning up to the budget of values, the depth limit or the first fault, and returns what was
 * built until then; undefined when not even the first token is JSON. Containers deeper than the limit become null.
 */
export function readJsonPrefix(text: string, limits: BodyLimits): JsonPrefix | undefined {
  return new PrefixReader(text, limits).read()
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\]|\\.)*"/sy
const WORDS: readonly (readonly [string, BodyValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Ends the reading; what the callers have built so far stays. */
class Stop extends Error {}

class PrefixReader {
  readonly #text: string
  readonly #limits: BodyLimits
  #at = 0
  #values = 0
  #isTruncated = false

  constructor(text: string, limits: BodyLimits) {
    this.#text = text
    this.#limits = limits
  }

  read(): JsonPrefix | undefined {
    this.#skipBlanks()
    const holder: BodyValue[] = []
    const first = this.#text[this.#at]
    try {
      this.#readInto((value) => holder.push(value), 0)
      this.#skipBlanks()
      if (this.#at < this.#text.length) this.#isTruncated = true
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      this.#isTruncated = true
    }
    const isContainer = first === '{' || first === '['
    return holder.length > 0 && (isContainer || !this.#isTruncated)
      ? { value: holder[0]!, isTruncated: this.#isTruncated }
      : undefined
  }

  /** Reads one value; containers are handed over before they are filled, so that a stop keeps their beginning. */
  #readInto(place: (value: BodyValue) => void, depth: number): void {
    if (++this.#values > this.#limits.maxValues) throw new Stop()
    const character = this.#text[this.#at]
    if (character === '{' || character === '[') {
      if (depth >= this.#limits.maxDepth) {
        place(null)
        throw new Stop()
      }
      if (character === '{') this.#readObject(place, depth)
      else this.#readArray(place, depth)
    } else if (character === '"') place(this.#readString())
    else place(this.#readScalar())
  }

  #readObject(place: (value: BodyValue) => void, depth: number): void {
    const object: BodyObject = emptyObject()
    place(object)
    this.#at++
    if (this.#accept('}')) return
    do {
      this.#skipBlanks()
      const key = this.#readString()
      if (!this.#accept(':')) throw new Stop()
      this.#skipBlanks()
      this.#readInto((value) => {
        object[key] = value
      }, depth + 1)
    } while (this.#accept(','))
    if (!this.#accept('}')) throw new Stop()
  }

  #readArray(place: (value: BodyValue) => void, depth: number): void {
    const list: BodyValue[] = []
    place(list)
    this.#at++
    if (this.#accept(']')) return
    do {
      this.#skipBlanks()
      this.#readInto((value) => list.push(value), depth + 1)
    } while (this.#accept(','))
    if (!this.#accept(']')) throw new Stop()
  }

  #readString(): string {
    STRING.lastIndex = this.#at
    const raw = STRING.exec(this.#text)?.[0]
    if (raw === undefined) throw new Stop()
    try {
      const value: unknown = JSON.parse(raw)
      this.#at += raw.length
      return String(value)
    } catch {
      // An escape that JSON does not know.
      throw new Stop()
    }
  }

  #readScalar(): BodyValue {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    NUMBER.lastIndex = this.#at
    const number = NUMBER.exec(this.#text)?.[0]
    if (number === undefined) throw new Stop()
    this.#at += number.length
    return Number(number)
  }

  #accept(character: string): boolean {
    this.#skipBlanks()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skipBlanks(): void {
    let code = this.#text.charCodeAt(this.#at)
    while (code === 32 || code === 10 || code === 13 || code === 9) code = this.#text.charCodeAt(++this.#at)
  }
}
