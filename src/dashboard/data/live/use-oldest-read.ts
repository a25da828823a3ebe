import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const always = (): boolean => true

/** When the oldest of the answers that are shown, and that a condition selects, was read; in epoch milliseconds, null for none. */
export function useOldestRead(selects: (query: Query) => boolean = always): number | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => {
      const times = cache
        .getAll()
        .filter((query) => query.isActive() && selects(query))
        .map(({ state }) => state.dataUpdatedAt)
        .filter((at) => at > 0)
      return times.length === 0 ? null : Math.min(...times)
    },
  )
}
