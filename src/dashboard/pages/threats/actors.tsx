import { Anchor, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { actorAddress } from './actor-address.ts'
import { ActorStatusTag } from './actor-status.tsx'
import { PagedList } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { countryName } from './threats.tsx'

/** Who sends what filters find, the latest first. */
export default function Actors() {
  const { address, start } = useThreatWindow()
  const limit = pageSizeIn(address.one)
  const { data, error, refetch } = useRead(
    'fetchThreatActors',
    { startTs: start, endTs: 0, skip: pageIn(address.one) * limit, limit, sort: { lastSeen: -1 } },
    { keepLast: true, refreshEvery: 15_000 },
  )
  return (
    <>
      <ThreatHeader
        title="Actors"
        description="Who sent what filters found: an address, or what a header says where the settings name one."
      />
      <PagedList
        label="Actors"
        what="actors"
        none="Nobody sent anything suspicious in this time."
        columns={['Actor', 'Status', 'Newest attack', 'On', 'First seen', 'Last seen']}
        minWidth={760}
        address={address}
        rows={data?.actors ?? undefined}
        total={data?.total ?? 0}
        error={error}
        onRetry={() => void refetch()}
        row={(actor) => (
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
        )}
      />
    </>
  )
}
