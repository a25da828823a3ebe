/** A burst may use up what a quiet time of this length would have given. */
const BURST_MS = 2000
/** What the clock does not see: garbage collection, calls that pass through, the socket to Vigil. */
const UNSEEN = 1.5

/**
 * Holds the time that the middleware takes of the event loop below a share of the time that passes: what it takes is a
 * debt, and while there is one nothing more is captured.
 */
export function createBudget(share) {
  const most = share * BURST_MS
  let left = most
  let at = performance.now()
  return {
    /** Whether another request may be captured at this time. */
    hasTime(now) {
      left = Math.min(most, left + (now - at) * share)
      at = now
      return share >= 1 || left > 0
    },
    /** Notes work that began at this time and has ended now. */
    spend(from) {
      left -= (performance.now() - from) * UNSEEN
    },
  }
}
