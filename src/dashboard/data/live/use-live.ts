import { useEffect, useSyncExternalStore } from 'react'
import type { OperationName } from '../../../contract/browser.ts'
import { session } from '../../session/use-session.ts'
import { queryClient } from '../query-client.ts'
import { LiveConnection, type LivePhase } from './live-connection.ts'
import { outdatedReads } from './outdated-reads.ts'

/** A read that is under way is not begun again: under constant change none would end. */
const afterCurrent = { cancelRefetch: false }

const connection = new LiveConnection({
  fetch: session.fetch,
  onChange(topics) {
    const outdated = new Set<OperationName>(topics.flatMap((topic) => outdatedReads[topic]))
    void queryClient.invalidateQueries(
      { predicate: ({ queryKey }) => outdated.has(queryKey[0] as OperationName) },
      afterCurrent,
    )
  },
  onGap: () => void queryClient.invalidateQueries({}, afterCurrent),
})

/** Keeps the pages up to date while the window is seen: one that is hidden holds no connection, and reads when it is seen. */
export function useLiveConnection(): void {
  useEffect(() => {
    const follow = (): void => {
      if (document.visibilityState === 'visible') connection.start()
      else connection.stop()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      connection.stop()
    }
  }, [])
}

/** How the stream of changes is, followed as it changes. */
export function useLivePhase(): LivePhase {
  return useSyncExternalStore(connection.subscribe, connection.phase)
}
