import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 20
const PATIENCE_MS = 180_000

export interface Patience<T> {
  /** The answer is true unless given. */
  readonly isRight?: (answer: T) => boolean
  /** Three minutes unless given. */
  readonly ms?: number
  /** Between two questions; 20 ms unless given. More where what is asked is measured. */
  readonly everyMs?: number
}

/**
 * Asks until the answer is right.
 *
 * @param what what is awaited, for the error
 * @returns the right answer
 * @throws Error when the patience is over, with the last answer
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { isRight = Boolean, ms = PATIENCE_MS, everyMs = POLL_MS }: Patience<T> = {},
): Promise<T> {
  for (const deadline = performance.now() + ms; ; await pause(everyMs)) {
    const answer = await ask()
    if (isRight(answer)) return answer
    if (performance.now() > deadline)
      throw new Error(`not within ${ms / 1000} s: ${what}; last answer: ${JSON.stringify(answer)}`)
  }
}
