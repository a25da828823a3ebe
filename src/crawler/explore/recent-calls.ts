import type { CapturedExchange } from '../browser/capture.ts'

/** Calls remembered. */
const RECENT_CALLS = 2_000

interface Call {
  readonly pageId: string
  readonly isRefused: boolean
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
    const { status } = exchange.response
    const isRefused = mayComeBack || (status >= 400 && status < 500 && status !== 404)
    this.#calls.push({ pageId, isRefused, startedMs, text: `${exchange.request.method} ${url}` })
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

  /** Whether a call of a page was answered with an error of the client, or held back for now, since a moment. */
  hasRefusedSince(pageId: string, sinceMs: number): boolean {
    return this.#calls.some((call) => call.isRefused && call.pageId === pageId && call.startedMs >= sinceMs)
  }
}
