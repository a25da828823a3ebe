import { Anchor, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { NoAttacks } from './no-attacks.tsx'
import { PagedList } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** Address of the events at an endpoint under attack. */
export function eventsOf(
  { method, host, path }: { readonly method: string; readonly host: string; readonly path: string },
  more: string,
): string {
  return `/threats/events?${new URLSearchParams({ method, path, ...(host === '' ? {} : { host }) })}${more}`
}

/** Which endpoints draw fire, the most attacked first. */
export default function Apis() {
  const { address, days, start } = useThreatWindow()
  const lookBack = days === '7' ? '' : `&days=${days}`
  const limit = pageSizeIn(address.one)
  const { data, error, refetch } = useRead(
    'fetchThreatApis',
    { startTs: start, endTs: 0, skip: pageIn(address.one) * limit, limit, sort: { requestsCount: -1 } },
    { keepLast: true, refreshEvery: 15_000 },
  )
  return (
    <>
      <ThreatHeader
        title="Endpoints under attack"
        description="Endpoints that received suspicious messages, most attacked first."
      />
      <PagedList
        label="Endpoints under attack"
        what="endpoints"
        none={<NoAttacks title="No endpoint with events in this time" address={address} />}
        columns={['Endpoint', '>Events', '>Actors', 'First attacked']}
        minWidth={640}
        address={address}
        rows={data?.apis ?? undefined}
        total={data?.total}
        error={error}
        onRetry={() => void refetch()}
        row={(one) => (
          <Table.Tr key={`${one.method} ${one.host} ${one.api}`}>
            <Table.Td data-label="Endpoint" style={{ overflowWrap: 'anywhere' }}>
              <div>
                <MethodTag method={one.method} />{' '}
                <Anchor
                  component={Link}
                  to={eventsOf({ ...one, path: one.api }, lookBack)}
                  size="sm"
                  underline="always"
                  {...rowLinkProps}
                >
                  {one.api}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {one.host}
                </Text>
              </div>
            </Table.Td>
            <Table.Td ta="right" data-label="Events">
              {countText(one.requestsCount)}
            </Table.Td>
            <Table.Td ta="right" data-label="Actors">
              {countText(one.actorsCount)}
            </Table.Td>
            <Table.Td data-label="First attacked">
              <TimeAgo seconds={one.discoveredAt} />
            </Table.Td>
          </Table.Tr>
        )}
      />
    </>
  )
}
