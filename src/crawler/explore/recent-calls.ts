import type { CapturedExchange } from '../browser/capture.ts'

/** Calls remembered. */
const RECENT_CALLS = 2_000
/** Characters kept of an answer that refused a call. */
const MOST_REFUSAL = 1_000

interface Call {
  readonly pageId: string
  /** Beginning of the answer that refused it; null where it was not refused. */
  readonly refusal: string | null
  readonly startedMs: number
  readonly text: string
}

/** What pages called lately: which action made which calls, and whether they were refused. */
export class RecentCalls {
  readonly #calls: Call[] = []

  /**
   * Takes in a call. `mayComeBack`: it was held back, and may be sent later.
   *
   * @returns false when it is a file of a page, not a call
   */
  note({ kind, exchange, url, pageId, startedMs }: CapturedExchange, mayComeBack: boolean): boolean {
    if (!/^(XHR|Fetch|Document|WebSocket|EventSource)$/.test(kind)) return false
    const { status, body, bodyIsBase64 } = exchange.response
    const isRefused = mayComeBack || (status >= 400 && status < 500 && status !== 404)
    const refusal = isRefused ? (bodyIsBase64 ? '' : body.slice(0, MOST_REFUSAL)) : null
    this.#calls.push({ pageId, refusal, startedMs, text: `${exchange.request.method} ${url}` })
    if (this.#calls.length > RECENT_CALLS) this.#calls.splice(0, RECENT_CALLS / 2)
    return true
  }

  /** Method and URL of the calls of a page since a moment, at most 50. */
  since(pageId: string, sinceMs: number): string[] {
    return this.#calls
      .filter((call) => call.pageId === pageId && call.startedMs >= sinceMs)
      .slice(0, 50)
      .map((call) => call.text)
  }

  /**
   * Beginning of the answer to a call of a page that was answered with an error of the client since a moment; '' for one
   * that was held back for now, null without any.
   */
  refusalSince(pageId: string, sinceMs: number): string | null {
    const isMeant = (call: Call) => call.pageId === pageId && call.startedMs >= sinceMs
    return this.#calls.find((call) => call.refusal !== null && isMeant(call))?.refusal ?? null
  }
}
