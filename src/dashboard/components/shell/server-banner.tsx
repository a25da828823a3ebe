import { Alert, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { describeError } from '../../data/describe-error.ts'
import { useLivePhase } from '../../data/live/use-live.ts'
import { useOldestRead } from '../../data/live/use-oldest-read.ts'
import { askAgain, failsInPassing, isAskedAgain, passingRefusal } from '../../data/query-client.ts'
import { useRemedies } from '../../data/use-remedies.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { TimeAgo } from '../time-ago.tsx'

/** What the first item that gives anything gives; null for none. */
function first<T, R>(items: readonly T[], pick: (item: T) => R | null): R | null {
  for (const item of items) {
    const picked = pick(item)
    if (picked !== null) return picked
  }
  return null
}

/** Milliseconds between two looks for what is to be asked again. */
const lookMs = 1_000

/**
 * Says that the server does not answer, or what it says of itself and what to do, and asks again what failed until it
 * answers. The pages keep what they show meanwhile. What a fault of the server kept from a page is asked for again a few
 * times; the page says so itself.
 */
export function ServerBanner() {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const isFailing = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.getAll().some((query) => query.isActive() && failsInPassing(query)),
  )
  const isRetrying = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.getAll().some((query) => query.isActive() && isAskedAgain(query)),
  )
  const refusal = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => first(cache.getAll(), (query) => (query.isActive() ? passingRefusal(query) : null)),
  )
  const findRemedy = useRemedies(refusal !== null)
  const isLost = useLivePhase() === 'lost'
  const isAway = isFailing || isLost
  const updatedAt = useOldestRead(isLost ? undefined : failsInPassing)
  useEffect(() => {
    if (!isRetrying) return
    const timer = setInterval(() => askAgain(queries), lookMs)
    return () => clearInterval(timer)
  }, [isRetrying, queries])
  if (!isAway) return null
  const said = refusal === null ? null : describeError(refusal, findRemedy ?? undefined)
  return (
    <Alert
      color="orange"
      mb="md"
      icon={<IconPlugConnectedX size={18} />}
      title={said === null ? t('failure.noAnswer') : <span lang="en">{said.title}</span>}
      role="status"
    >
      {said !== null && findRemedy !== null && (
        <Text size="sm" lang="en">
          {said.remedy}
        </Text>
      )}
      {updatedAt === null ? (
        t('shell.awayNothing')
      ) : (
        <RichText id="shell.awayRead" values={{ time: <TimeAgo seconds={Math.floor(updatedAt / 1000)} /> }} />
      )}{' '}
      {t('shell.awayRetry')}
    </Alert>
  )
}
