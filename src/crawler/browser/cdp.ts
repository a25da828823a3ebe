import type { CDPSession } from 'puppeteer-core'
import { Failure } from '../../kit/index.ts'
import type { CdpSession } from './driver.ts'
import { withDeadline } from './with-deadline.ts'

/** Milliseconds for a call that says nothing else. */
const CALL_MS = 10_000

/** A session of the protocol whose every call ends: with an answer, or with a Failure when its time is over. */
export class TimedSession implements CdpSession {
  readonly id: string
  readonly raw: CDPSession
  readonly #whenDetached = new Set<() => void>()
  #isDetached = false

  constructor(raw: CDPSession) {
    this.raw = raw
    this.id = raw.id()
  }

  async send<T = Record<string, unknown>>(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    deadlineMs: number = CALL_MS,
  ): Promise<T> {
    const call = this.#call(method, params)
    try {
      return (await withDeadline(call, deadlineMs, method)) as T
    } catch (error) {
      throw error instanceof Failure ? error : asFailure(error, method)
    }
  }

  /** Sends without waiting; what goes wrong is of no interest, because the target may be on its way out. */
  post(method: string, params: Readonly<Record<string, unknown>> = {}): void {
    this.#call(method, params).catch(() => {})
  }

  on(event: string, listener: (params: Record<string, unknown>) => void): () => void {
    this.raw.on(event, listener as (params: unknown) => void)
    return () => void this.raw.off(event, listener as (params: unknown) => void)
  }

  /** Calls once when the target is gone. */
  whenDetached(listener: () => void): void {
    if (this.#isDetached) listener()
    else this.#whenDetached.add(listener)
  }

  /** The browser said that the target is gone. */
  detached(): void {
    if (this.#isDetached) return
    this.#isDetached = true
    for (const listener of this.#whenDetached) listener()
    this.#whenDetached.clear()
  }

  /** The library knows each method by name; here they are data. */
  #call(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const send = this.raw.send.bind(this.raw) as unknown as (
      method: string,
      params: unknown,
    ) => Promise<unknown>
    return send(method, params)
  }
}

/** What the library throws, as a Failure: the target is gone, or the browser refused the call. */
export function asFailure(error: unknown, method: string): Failure {
  const reason = error instanceof Error ? error.message : String(error)
  const isGone =
    /(?:Target|Session|Connection) closed|No target with given id|Session with given id not found|not attached/i.test(
      reason,
    )
  return isGone
    ? new Failure('BROWSER_GONE', { call: method }, { cause: error })
    : new Failure('BROWSER_REFUSED', { call: method, reason: reason.slice(0, 500) }, { cause: error })
}
