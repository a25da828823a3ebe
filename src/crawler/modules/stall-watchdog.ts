import { delay } from '../../http/sender/index.ts'

/** Looks at the progress so often within the time allowed. */
const LOOKS = 12

/**
 * Waits until a number has not changed for a time.
 *
 * @param patienceMs time without change that counts as a stall
 * @param signal ends the waiting
 * @returns 'ended' when the signal came first. Progress that cannot be asked for counts as progress: nobody is to be
 *   replaced because a database is away.
 */
export async function untilStalled(
  progress: () => Promise<number>,
  patienceMs: number,
  signal: AbortSignal,
): Promise<'stalled' | 'ended'> {
  let last: number | null = null
  let sinceMs = performance.now()
  for (;;) {
    await delay(patienceMs / LOOKS, signal).catch(() => {}) // the signal is looked at below
    if (signal.aborted) return 'ended'
    const now = await progress().catch(() => null)
    if (now === null || now !== last) {
      last = now
      sinceMs = performance.now()
    } else if (performance.now() - sinceMs >= patienceMs) return 'stalled'
  }
}
