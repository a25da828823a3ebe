import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { EventLines } from '../threats/event-lines.tsx'

const pageSize = 25

/** Malicious requests to one endpoint, the newest first. */
export function AttacksPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useRead(
    'fetchSuspectSampleData',
    {
      endpoint: endpointKey,
      startTimestamp: 0,
      endTimestamp: 0,
      skip: page * pageSize,
      limit: pageSize,
      sort: { detectedAt: -1 },
    },
    { keepLast: true },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  const events = data.maliciousEvents ?? []
  if (data.total === 0)
    return (
      <Text size="sm" c="dimmed">
        No filter matched a request to this endpoint.
      </Text>
    )
  return (
    <Stack gap="sm">
      <EventLines events={events} />
      {(page > 0 || data.total > pageSize) && (
        <TurnPages
          page={page}
          pageSize={pageSize}
          shown={events.length}
          hasMore={data.total > (page + 1) * pageSize}
          onPage={setPage}
          what="Attacks"
        />
      )}
    </Stack>
  )
}
