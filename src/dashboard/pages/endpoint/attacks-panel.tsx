import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { EventLines } from '../threats/event-lines.tsx'
import { isOfEndpoint } from './is-of-endpoint.ts'

/** Events asked for at most; those of one endpoint are picked from those of its collection and method. */
const most = 1000
const mostShown = 50

/** Malicious requests to one endpoint, the newest first. */
export function AttacksPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const { apiCollectionId, method, url } = endpointKey
  const { data, error, refetch } = useRead('fetchSuspectSampleData', {
    apiCollectionIds: [apiCollectionId],
    method: [method],
    startTimestamp: 0,
    endTimestamp: 0,
    skip: 0,
    limit: most,
    sort: { detectedAt: -1 },
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  const here = (data.maliciousEvents ?? []).filter((event) => isOfEndpoint(event.url, url))
  const all = new URLSearchParams({ collection: String(apiCollectionId), method })
  return (
    <Stack gap="sm">
      {here.length === 0 ? (
        <Text size="sm" c="dimmed">
          No filter matched a request to this endpoint.
        </Text>
      ) : (
        <EventLines events={here.slice(0, mostShown)} />
      )}
      {(here.length > mostShown || data.total > most) && (
        <Text size="sm" c="dimmed">
          {data.total > most && `Among the newest ${most} events of this collection with ${method}. `}
          <Anchor component={Link} to={`/threats/events?${all}`} size="sm">
            All events of the collection with this method
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}
