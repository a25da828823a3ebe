import { Anchor, Table } from '@mantine/core'
import { Link } from 'react-router'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { PagedList } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** Which endpoints draw fire, the most attacked first. */
export default function Apis() {
  const { address, days, start } = useThreatWindow()
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
        none="No endpoint was attacked in this time."
        columns={['Endpoint', '>Events', '>Actors', 'First attacked']}
        minWidth={640}
        address={address}
        rows={data?.apis ?? undefined}
        total={data?.total}
        error={error}
        onRetry={() => void refetch()}
        row={(one) => (
          <Table.Tr key={`${one.method} ${one.host} ${one.api}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <MethodTag method={one.method} /> {one.api}
              <Anchor
                component={Link}
                to={`/threats/events?host=${encodeURIComponent(one.host)}${days === '7' ? '' : `&days=${days}`}`}
                size="xs"
                display="block"
              >
                Events of {one.host}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">{countText(one.requestsCount)}</Table.Td>
            <Table.Td ta="right">{countText(one.actorsCount)}</Table.Td>
            <Table.Td>
              <TimeAgo seconds={one.discoveredAt} />
            </Table.Td>
          </Table.Tr>
        )}
      />
    </>
  )
}
