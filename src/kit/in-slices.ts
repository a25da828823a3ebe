import { setImmediate } from 'node:timers/promises'

/** Time between two pauses, in milliseconds. */
const SLICE_MS = 10

/** Visits items one after the other, where each may take milliseconds: other work gets its turn meanwhile. */
export async function forEachInSlices<T>(
  items: readonly T[],
  visit: (item: T, index: number) => void,
): Promise<void> {
  let until = performance.now() + SLICE_MS
  for (const [index, item] of items.entries()) {
    visit(item, index)
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
}

/** What a function makes of each item, as {@link forEachInSlices}. */
export async function mapInSlices<T, U>(items: readonly T[], change: (item: T) => U): Promise<U[]> {
  const changed: U[] = []
  await forEachInSlices(items, (item) => changed.push(change(item)))
  return changed
}

/** The items that a test holds for, as {@link forEachInSlices}. */
export async function filterInSlices<T>(items: readonly T[], test: (item: T) => boolean): Promise<T[]> {
  const met: T[] = []
  await forEachInSlices(items, (item) => {
    if (test(item)) met.push(item)
  })
  return met
}
