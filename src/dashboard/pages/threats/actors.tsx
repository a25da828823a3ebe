import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { createColumnHelper } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
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
import { PagedList, useServerSort } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { useFilterNames } from './use-filter-names.ts'

const filterNames = ['actor', 'filter', 'host', 'country', 'status'] as const

type ThreatActor = NonNullable<ResponseOf<'fetchThreatActors'>['actors']>[number]

const usualSort = { id: 'lastSeen', desc: true } as const
const column = createColumnHelper<ThreatActor>()

/** Ids of columns that can be sorted are keys of the server. */
function actorColumns(nameOf: (filter: string) => string) {
  return [
    column.accessor('id', {
      id: 'actor',
      header: 'Actor',
      enableSorting: false,
      cell: ({ row: { original } }) => <ActorCell actor={original} />,
      meta: { minWidth: 140 },
    }),
    column.accessor('status', {
      header: 'Status',
      enableSorting: false,
      cell: ({ getValue }) => <ActorStatusTag status={getValue()} />,
    }),
    column.accessor((actor) => nameOf(actor.latestAttack), {
      id: 'latestAttack',
      header: 'Newest attack',
      enableSorting: false,
      cell: ({ getValue }) => getValue(),
    }),
    column.display({
      id: 'on',
      header: 'On',
      cell: ({ row: { original } }) => (
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {original.latestApiMethod} {original.latestApiHost}
          {original.latestApiEndpoint}
        </Text>
      ),
      meta: { minWidth: 180 },
    }),
    column.accessor('discoveredAt', {
      header: 'First seen',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
    column.accessor('lastSeen', {
      header: 'Last seen',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
  ]
}

function ActorCell({ actor: { id, country } }: { readonly actor: ThreatActor }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} to={actorAddress(id)} size="sm" {...rowLinkProps}>
        {id}
      </Anchor>
      <Text size="xs" c="dimmed">
        {countryName(country)}
      </Text>
    </div>
  )
}

/** Who sends what filters find, the latest first unless the address asks for another order. */
export default function Actors() {
  const { address, start } = useThreatWindow()
  const { nameOf } = useFilterNames()
  const limit = pageSizeIn(address.one)
  const columns = useMemo(() => actorColumns(nameOf), [nameOf])
  const { sorting, sort } = useServerSort(address, usualSort, columns)
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchThreatActors',
    {
      startTs: start,
      endTs: 0,
      skip: pageIn(address.one) * limit,
      limit,
      sort,
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
        columns={columns}
        rowId={({ id }) => id}
        usualSort={usualSort}
        sorting={sorting}
        minWidth={760}
        address={address}
        rows={data?.actors ?? undefined}
        total={data?.total}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
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
