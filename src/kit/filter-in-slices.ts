import { setImmediate } from 'node:timers/promises'

/** Time between two pauses, in milliseconds. */
const SLICE_MS = 10

/** The items that a test holds for, where a test may take milliseconds: other work gets its turn meanwhile. */
export async function filterInSlices<T>(items: readonly T[], test: (item: T) => boolean): Promise<T[]> {
  const met: T[] = []
  let until = performance.now() + SLICE_MS
  for (const item of items) {
    if (test(item)) met.push(item)
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
  return met
}
