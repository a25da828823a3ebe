import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { failsInPassing } from '../../data/query-client.ts'
import { TimeAgo } from '../time-ago.tsx'

/** Milliseconds between two tries. */
const retryMs = 5_000

/** When the oldest of the answers that are shown was read, in epoch milliseconds; null when none was. */
function oldestRead(failing: readonly Query[]): number | null {
  const times = failing.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0)
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Says that the server does not answer, and asks again what failed until it does. The pages keep what they show
 * meanwhile.
 */
export function ServerBanner() {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const isAway = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.getAll().some((query) => query.isActive() && failsInPassing(query)),
  )
  const updatedAt = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => oldestRead(cache.getAll().filter((query) => query.isActive() && failsInPassing(query))),
  )
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(
      () => void queries.refetchQueries({ type: 'active', predicate: failsInPassing }),
      retryMs,
    )
    return () => clearInterval(timer)
  }, [isAway, queries])
  if (!isAway) return null
  return (
    <Alert
      color="orange"
      mb="md"
      icon={<IconPlugConnectedX size={18} />}
      title="The server does not answer"
      role="status"
    >
      {updatedAt === null ? (
        'Nothing could be read yet.'
      ) : (
        <>
          What you see was read <TimeAgo seconds={Math.floor(updatedAt / 1000)} /> and may be out of date.
        </>
      )}{' '}
      Vigil tries again every few seconds and updates the page once the server answers.
    </Alert>
  )
}
