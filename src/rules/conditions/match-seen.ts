import { Failure } from '../../kit/index.ts'
import { patternsOf } from '../operators/values.ts'
import type { Scalar } from '../variables/variables.ts'

/** Characters of evidence, and how many of them stand before the match. */
const MAX_SHOWN = 200
const BEFORE = 40

/** Where a pattern was found; looked for once more when somebody asks. */
export class MatchSeen {
  readonly #text: string
  readonly #path: string | null
  readonly #operands: readonly Scalar[]

  /** @param path of the value that the pattern was found in as it reads; null for a text as it was sent */
  constructor(text: string, path: string | null, operands: readonly Scalar[]) {
    this.#text = text
    this.#path = path
    this.#operands = operands
  }

  /** `errors[0].stack, decoded: …Error: boom` and so on, with some characters before the match. */
  toString(): string {
    const place = this.#path === null ? '' : this.#path === '' ? 'decoded: ' : `${this.#path}, decoded: `
    if (this.#text.length <= MAX_SHOWN) return place + this.#text
    const from = Math.max(0, this.#start() - BEFORE)
    const to = Math.min(this.#text.length, from + MAX_SHOWN)
    const shown = this.#text.slice(from, to)
    return `${place}${from > 0 ? '…' : ''}${shown}${to < this.#text.length ? '…' : ''}`
  }

  #start(): number {
    try {
      for (const pattern of patternsOf(this.#operands)) {
        const found = pattern.find(this.#text)
        if (found !== null) return found[0]
      }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'PATTERN_OVER_BUDGET') throw error
    }
    return 0
  }
}
