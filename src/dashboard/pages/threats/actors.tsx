import { Anchor, Paper, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { ScrollFrame } from '../../components/table/scroll-frame.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { actorAddress } from './actor-address.ts'
import { ActorStatusTag } from './actor-status.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { countryName } from './threats.tsx'

/** Who sends what filters find, the latest first. */
export default function Actors() {
  const { address, start } = useThreatWindow()
  const page = Math.max((Number(address.one('page')) || 1) - 1, 0)
  const pageSize = Math.min(Math.max(Number(address.one('size')) || 50, 1), 200)
  const { data, error, refetch } = useRead(
    'fetchThreatActors',
    { startTs: start, endTs: 0, skip: page * pageSize, limit: pageSize, sort: { lastSeen: -1 } },
    { keepLast: true, refreshEvery: 15_000 },
  )
  const actors = data?.actors ?? undefined
  return (
    <>
      <ThreatHeader
        title="Actors"
        description="Who sent what filters found: an address, or what a header says where the settings name one."
      />
      <Paper withBorder>
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {actors === undefined && !error && <TableSkeleton label="Loading the actors" />}
        {actors?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            Nobody sent anything suspicious in this time.
          </Text>
        )}
        {actors !== undefined && actors.length > 0 && (
          <>
            <ScrollFrame label="Actors">
              <Table aria-label="Actors" miw={760} verticalSpacing={6}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Actor</Table.Th>
                    <Table.Th>Status</Table.Th>
                    <Table.Th>Newest attack</Table.Th>
                    <Table.Th>On</Table.Th>
                    <Table.Th>First seen</Table.Th>
                    <Table.Th>Last seen</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {actors.map((actor) => (
                    <Table.Tr key={actor.id}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <Anchor component={Link} to={actorAddress(actor.id)} size="sm">
                          {actor.id}
                        </Anchor>
                        <Text size="xs" c="dimmed">
                          {countryName(actor.country)}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <ActorStatusTag status={actor.status} />
                      </Table.Td>
                      <Table.Td>{actor.latestAttack}</Table.Td>
                      <Table.Td style={{ overflowWrap: 'anywhere' }} maw={320}>
                        {actor.latestApiMethod} {actor.latestApiHost}
                        {actor.latestApiEndpoint}
                      </Table.Td>
                      <Table.Td>
                        <TimeAgo seconds={actor.discoveredAt} />
                      </Table.Td>
                      <Table.Td>
                        <TimeAgo seconds={actor.lastSeen} />
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
              what="actors"
            />
          </>
        )}
      </Paper>
    </>
  )
}
