import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { EndpointChange, EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { Tag } from '../../components/tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { changeLooks } from '../inventory/changes/change-words.ts'

const pageSize = 25

/** What changed at one endpoint, the newest first. */
export function ChangesPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useRead(
    'fetchChanges',
    {
      startTimestamp: 0,
      endTimestamp: 0,
      endpoint: endpointKey,
      skip: page * pageSize,
      limit: pageSize,
    },
    { keepLast: true },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  if (data.total === 0)
    return (
      <Text size="sm" c="dimmed">
        No change since it was discovered.
      </Text>
    )
  return (
    <>
      <ChangeList changes={data.changes} />
      {(page > 0 || data.total > pageSize) && (
        <TurnPages
          page={page}
          pageSize={pageSize}
          shown={data.changes.length}
          hasMore={data.total > (page + 1) * pageSize}
          onPage={setPage}
          what="Changes"
        />
      )}
    </>
  )
}

function ChangeList({ changes }: { changes: readonly EndpointChange[] }) {
  return (
    <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {changes.map(({ kind, what, timestamp }) => (
        <Group key={`${kind} ${what} ${timestamp}`} component="li" gap="sm">
          <Text span size="sm" c="dimmed" w={110}>
            <TimeAgo seconds={timestamp} />
          </Text>
          <Tag tone={changeLooks[kind].tone}>{changeLooks[kind].label}</Tag>
          {kind !== 'NEW_ENDPOINT' && (
            <Text span size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {what.replaceAll('#', '.')}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  )
}
