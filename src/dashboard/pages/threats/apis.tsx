import { Paper, Table, Text } from '@mantine/core'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { ScrollFrame } from '../../components/table/scroll-frame.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** Which endpoints draw fire, the most attacked first. */
export default function Apis() {
  const { address, start } = useThreatWindow()
  const page = Math.max((Number(address.one('page')) || 1) - 1, 0)
  const pageSize = Math.min(Math.max(Number(address.one('size')) || 50, 1), 200)
  const { data, error, refetch } = useRead(
    'fetchThreatApis',
    { startTs: start, endTs: 0, skip: page * pageSize, limit: pageSize, sort: { requestsCount: -1 } },
    { keepLast: true, refreshEvery: 15_000 },
  )
  const apis = data?.apis ?? undefined
  return (
    <>
      <ThreatHeader
        title="Endpoints under attack"
        description="What suspicious messages were sent to, most first."
      />
      <Paper withBorder>
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {apis === undefined && !error && <TableSkeleton label="Loading the endpoints" />}
        {apis?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No endpoint was attacked in this time.
          </Text>
        )}
        {apis !== undefined && apis.length > 0 && (
          <>
            <ScrollFrame label="Endpoints under attack">
              <Table aria-label="Endpoints under attack" miw={640} verticalSpacing={6}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Endpoint</Table.Th>
                    <Table.Th ta="right">Events</Table.Th>
                    <Table.Th ta="right">Actors</Table.Th>
                    <Table.Th>First attacked</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {apis.map((one) => (
                    <Table.Tr key={`${one.method} ${one.host} ${one.api}`}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <MethodTag method={one.method} /> {one.api}
                        <Text size="xs" c="dimmed">
                          {one.host}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right">{countText(one.requestsCount)}</Table.Td>
                      <Table.Td ta="right">{countText(one.actorsCount)}</Table.Td>
                      <Table.Td>
                        <TimeAgo seconds={one.discoveredAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollFrame>
            <Pager
              page={page}
              pageSize={pageSize}
              total={data?.total ?? 0}
              onPage={(next) => address.change({ page: next === 0 ? '' : String(next + 1) })}
              onPageSize={(size) => address.change({ size: String(size) })}
              what="endpoints"
            />
          </>
        )}
      </Paper>
    </>
  )
}
