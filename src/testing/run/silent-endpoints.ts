import { Failure, nowMs } from '../../kit/index.ts'
import { type EndpointKey, endpointText } from './pair-result.ts'

/** From this number of time-outs on, an endpoint is waited for less long. */
const IMPATIENT_AT = 3
/** From this number on, tests of the endpoint send nothing more … */
const SILENT_AT = 10
/** … but one request in this time, which finds out whether it answers again. */
const PROBE_MS = 60_000
/** How long an endpoint is waited for that timed out, unless its answers usually take longer. */
const SHORT_MS = 10_000
/** How many of its requests may time out before a test that measures times sends nothing more. */
const OWN_TIMEOUTS = 2
/** What an answer takes away: one time-out in ten answers is nothing unusual. */
const FORGIVES = 0.1

interface Seen {
  timeouts: number
  slowestMs: number
  probeAt: number
  /** Of tests that measure times, by test. */
  readonly own: Map<string, number>
}

/**
 * Endpoints that leave attacks unanswered: a handler that fails without an answer keeps each such request until its time
 * is up, and a run with hundreds of them does not end. The host answers meanwhile, so that its budget does not notice.
 */
export class SilentEndpoints {
  readonly #seen = new Map<string, Seen>()

  /**
   * How long the answer to a request may take; undefined: as long as any.
   * @param measuring id of the test if it measures times: what left other requests unanswered may answer these, late
   * @throws Failure ENDPOINT_SILENT when nothing more is sent to the endpoint for now
   */
  patienceFor(endpoint: EndpointKey, measuring?: string): number | undefined {
    const seen = this.#seen.get(endpointText(endpoint))
    if (seen === undefined || seen.timeouts < IMPATIENT_AT) return undefined
    if (seen.timeouts >= SILENT_AT) {
      const isTried = measuring !== undefined && (seen.own.get(measuring) ?? 0) < OWN_TIMEOUTS
      if (nowMs() < seen.probeAt && !isTried)
        throw new Failure('ENDPOINT_SILENT', { method: endpoint.method, url: endpoint.url })
      seen.probeAt = nowMs() + PROBE_MS
    }
    return Math.max(SHORT_MS, 2 * seen.slowestMs)
  }

  answered(endpoint: EndpointKey, ms: number): void {
    const seen = this.#of(endpoint)
    seen.slowestMs = Math.max(seen.slowestMs, ms)
    // What was silent and answers is back.
    seen.timeouts = seen.timeouts >= SILENT_AT ? IMPATIENT_AT : Math.max(0, seen.timeouts - FORGIVES)
  }

  timedOut(endpoint: EndpointKey, measuring?: string): void {
    const seen = this.#of(endpoint)
    seen.timeouts++
    if (measuring !== undefined) seen.own.set(measuring, (seen.own.get(measuring) ?? 0) + 1)
    seen.probeAt = nowMs() + PROBE_MS
  }

  #of(endpoint: EndpointKey): Seen {
    const key = endpointText(endpoint)
    const known = this.#seen.get(key)
    if (known !== undefined) return known
    const made = { timeouts: 0, slowestMs: 0, probeAt: 0, own: new Map() }
    this.#seen.set(key, made)
    return made
  }
}
