import { PollLoop } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { scoreChanges } from './engine/counts/index.ts'

/** A change shows in the score after at most so long, and the time of the scoring itself. */
const POLL_EVERY_MS = 1_000

/**
 * Scores endpoints whose issues or attacks changed; every process has one, and they share the work.
 *
 * @param onError hears why scores were not written; it is tried again
 */
export function riskKeeper(store: Store, onError: (error: unknown) => void): PollLoop {
  return new PollLoop({
    everyMs: POLL_EVERY_MS,
    pass: () => scoreChanges(store),
    onError,
    isUnref: true,
    news: { from: store.news, topics: ['risks'], leastMs: POLL_EVERY_MS },
  })
}
