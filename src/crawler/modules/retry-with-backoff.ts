import { CallError } from '../../contract/client.ts'
import { errorRow } from '../../contract/errors.ts'
import { delay } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'

/** A server that is away is waited for so long. */
const PATIENCE_MS = 10 * 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const TOO_MANY = 429
const SERVER_FAULT = 500

/**
 * Repeats a call to the server until it goes through, with growing pauses, for at most ten minutes.
 *
 * @throws what the server refused permanently, the last error when the time is over, the reason of the signal
 */
export async function retryWithBackoff<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call()
    } catch (error) {
      if (isRefusal(error) || signal.aborted || performance.now() > until) throw error
      await delay(pauseMs, signal)
    }
  }
}

/** Whether the server heard the call and does not want it; anything else may go better the next time. */
export function isRefusal(error: unknown): boolean {
  const status =
    error instanceof CallError
      ? error.status
      : error instanceof Failure
        ? (errorRow(error.code)?.status ?? SERVER_FAULT)
        : SERVER_FAULT
  return status < SERVER_FAULT && status !== TOO_MANY
}
