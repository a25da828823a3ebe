import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { OperationName } from '../../../contract/browser.ts'

const always = (): boolean => true

/** What the frame of every page reads: it says nothing of the age of a page. */
const readByFrame: readonly OperationName[] = ['fetchOwnUser', 'fetchOrganisation']

function isOfPage({ queryKey }: Query): boolean {
  return !readByFrame.includes(queryKey[0] as OperationName)
}

/** When the oldest of the answers that a page shows, and that a condition selects, was read; in epoch milliseconds, null for none. */
export function useOldestRead(selects: (query: Query) => boolean = always): number | null {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => {
      const times = cache
        .getAll()
        .filter((query) => query.isActive() && isOfPage(query) && selects(query))
        .map(({ state }) => state.dataUpdatedAt)
        .filter((at) => at > 0)
      return times.length === 0 ? null : Math.min(...times)
    },
  )
}
