/** About what a token of JSON takes. */
const CHARACTERS_PER_TOKEN = 4
const KEPT_ANSWERS = 16
const KEPT_MS = 300_000

interface KeptAnswer {
  readonly text: string
  readonly atMs: number
}

/** Cuts answers to a number of tokens, and keeps them for a while so that the next page fits the one before. */
export class AnswerPages {
  readonly #characters: number
  readonly #kept = new Map<string, KeptAnswer>()

  constructor(maxTokens: number) {
    this.#characters = maxTokens * CHARACTERS_PER_TOKEN
  }

  /**
   * A page of an answer.
   *
   * @param call the operation with its arguments, without the offset
   * @param offset 0 asks anew; any other continues the kept answer, and never asks: the call may be one that writes
   * @param ask gives the whole answer
   */
  async page(call: string, offset: number, ask: () => Promise<unknown>): Promise<string> {
    const kept = offset > 0 ? this.#kept.get(call) : undefined
    const isFresh = kept !== undefined && Date.now() - kept.atMs < KEPT_MS
    if (offset > 0 && !isFresh)
      return '[The earlier answer is no longer kept, or was not cut. Without "_offset" the call is made again.]'
    const text = isFresh ? kept.text : (JSON.stringify(await ask()) ?? 'done')
    if (offset >= text.length) return `[The answer ends at character ${text.length}.]`
    if (text.length <= this.#characters) return text
    if (!isFresh) this.#keep(call, text)
    const end = Math.min(text.length, offset + this.#characters)
    const part = text.slice(offset, end).toWellFormed()
    if (end === text.length) return part
    return `${part}\n\n[Cut: characters ${offset} to ${end} of ${text.length}. Call again with the same arguments and "_offset": ${end} for the next part, or ask for less (limit, filters).]`
  }

  #keep(call: string, text: string): void {
    this.#kept.delete(call)
    this.#kept.set(call, { text, atMs: Date.now() })
    const oldest = this.#kept.keys().next()
    if (this.#kept.size > KEPT_ANSWERS && !oldest.done) this.#kept.delete(oldest.value)
  }
}
