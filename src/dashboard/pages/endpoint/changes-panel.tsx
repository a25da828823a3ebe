import { Group, Skeleton, Stack, Text } from '@mantine/core'
import type { EndpointChange, EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { changeLooks } from '../inventory/changes/change-words.ts'

/** Changes asked for at most. */
const most = 200

/** What changed at one endpoint, the newest first. */
export function ChangesPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const { apiCollectionId, method, url } = endpointKey
  const { data, error, refetch } = useRead('fetchChanges', {
    startTimestamp: 0,
    endTimestamp: 0,
    apiCollectionId,
    search: url.slice(0, 500),
    skip: 0,
    limit: most,
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  const here = data.changes.filter(({ apiInfoKey: key }) => key.method === method && key.url === url)
  const isCut = data.total > most
  return (
    <>
      {(here.length === 0 || isCut) && (
        <Text size="sm" c="dimmed" mb={here.length === 0 ? 0 : 'xs'}>
          {isCut
            ? `Among the newest ${most} changes of this and of longer addresses${here.length === 0 ? ' is none of this one' : ''}.`
            : 'No change since it was discovered.'}
        </Text>
      )}
      <ChangeList changes={here} />
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
