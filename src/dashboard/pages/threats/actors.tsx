import { Anchor, Button, Group, Table, Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ClearFilters, SeveralFilter } from '../../components/filters.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { actorAddress } from './actor-address.ts'
import { ActorStatusTag, actorStatusChoices } from './actor-status.tsx'
import { BlockListDialog } from './block-list-dialog.tsx'
import { countryName } from './country-name.ts'
import { NoAttacks } from './no-attacks.tsx'
import { PagedList } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { useFilterNames } from './use-filter-names.ts'

const filterNames = ['actor', 'filter', 'host', 'country', 'status'] as const

/** Who sends what filters find, the latest first. */
export default function Actors() {
  const { address, start } = useThreatWindow()
  const { nameOf } = useFilterNames()
  const limit = pageSizeIn(address.one)
  const { data, error, refetch } = useRead(
    'fetchThreatActors',
    {
      startTs: start,
      endTs: 0,
      skip: pageIn(address.one) * limit,
      limit,
      sort: { lastSeen: -1 },
      actorId: address.several('actor'),
      latestAttack: address.several('filter'),
      host: address.several('host'),
      country: address.several('country'),
      status: address.several('status'),
    },
    { keepLast: true, refreshEvery: 15_000 },
  )
  const [isListShown, setListShown] = useState(false)
  const isFiltered = filterNames.some((name) => address.several(name).length > 0)
  return (
    <>
      <ThreatHeader
        title="Actors"
        description="The senders of suspicious messages: an IP address, or the value of a configured header."
        actions={
          <Button
            variant="default"
            leftSection={<IconListCheck size={16} />}
            onClick={() => setListShown(true)}
          >
            Block list
          </Button>
        }
      />
      <PagedList
        label="Actors"
        what="actors"
        none={<NoAttacks title="No actor in this time" address={address} filters={filterNames} />}
        filters={<ActorFilters address={address} isFiltered={isFiltered} />}
        columns={['Actor', 'Status', 'Newest attack', 'On', 'First seen', 'Last seen']}
        minWidth={760}
        address={address}
        rows={data?.actors ?? undefined}
        total={data?.total}
        error={error}
        onRetry={() => void refetch()}
        row={(actor) => (
          <Table.Tr key={actor.id}>
            <Table.Td data-label="Actor" style={{ overflowWrap: 'anywhere' }}>
              <div>
                <Anchor component={Link} to={actorAddress(actor.id)} size="sm" {...rowLinkProps}>
                  {actor.id}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {countryName(actor.country)}
                </Text>
              </div>
            </Table.Td>
            <Table.Td data-label="Status">
              <ActorStatusTag status={actor.status} />
            </Table.Td>
            <Table.Td data-label="Newest attack">{nameOf(actor.latestAttack)}</Table.Td>
            <Table.Td data-label="On" style={{ overflowWrap: 'anywhere' }} maw={320}>
              {actor.latestApiMethod} {actor.latestApiHost}
              {actor.latestApiEndpoint}
            </Table.Td>
            <Table.Td data-label="First seen">
              <TimeAgo seconds={actor.discoveredAt} />
            </Table.Td>
            <Table.Td data-label="Last seen">
              <TimeAgo seconds={actor.lastSeen} />
            </Table.Td>
          </Table.Tr>
        )}
      />
      {isListShown && <BlockListDialog onClose={() => setListShown(false)} />}
    </>
  )
}

interface ActorFiltersProps {
  readonly address: ReturnType<typeof useThreatWindow>['address']
  readonly isFiltered: boolean
}

function ActorFilters({ address, isFiltered }: ActorFiltersProps) {
  const choices = useRead('fetchFiltersForThreatActors', {}).data
  const { nameOf } = useFilterNames()
  const listed = (values: readonly string[] | null | undefined, label = (value: string) => value) =>
    (values ?? []).filter((value) => value !== '').map((value) => ({ value, label: label(value) }))
  return (
    <Group p="sm" gap="xs">
      <SeveralFilter address={address} name="actor" label="Actor" data={listed(choices?.actorId)} />
      <SeveralFilter
        address={address}
        name="filter"
        label="Newest attack"
        data={listed(choices?.latestAttack, nameOf)}
        width={150}
      />
      <SeveralFilter address={address} name="host" label="Host" data={listed(choices?.host)} />
      <SeveralFilter
        address={address}
        name="country"
        label="Country"
        data={listed(choices?.country, countryName)}
      />
      <SeveralFilter address={address} name="status" label="Status" data={actorStatusChoices} />
      {isFiltered && <ClearFilters change={address.change} names={filterNames} />}
    </Group>
  )
}
