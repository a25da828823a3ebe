import { Anchor, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { pageIn, pageSizeIn } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { NoAttacks } from './no-attacks.tsx'
import { PagedList, useServerSort } from './paged-list.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** Address of the events at an endpoint under attack. */
export function eventsOf(
  { method, host, path }: { readonly method: string; readonly host: string; readonly path: string },
  more: string,
): string {
  return `/threats/events?${new URLSearchParams({ method, path, ...(host === '' ? {} : { host }) })}${more}`
}

type Api = NonNullable<ResponseOf<'fetchThreatApis'>['apis']>[number]

const usualSort = { id: 'requestsCount', desc: true } as const
const column = createColumnHelper<Api>()

/** Ids of columns that can be sorted are keys of the server. */
function apiColumns(lookBack: string) {
  return [
    column.accessor('api', {
      header: 'Endpoint',
      enableSorting: false,
      cell: ({ row: { original } }) => <ApiCell api={original} lookBack={lookBack} />,
    }),
    column.accessor('requestsCount', {
      header: 'Events',
      cell: ({ getValue }) => countText(getValue()),
      sortDescFirst: true,
      meta: { align: 'right' },
    }),
    column.accessor('actorsCount', {
      header: 'Actors',
      cell: ({ getValue }) => countText(getValue()),
      sortDescFirst: true,
      meta: { align: 'right' },
    }),
    column.accessor('discoveredAt', {
      header: 'First attacked',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
  ]
}

function ApiCell({ api: one, lookBack }: { readonly api: Api; readonly lookBack: string }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
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
  )
}

/** Which endpoints draw fire, the most attacked first unless the address asks for another order. */
export default function Apis() {
  const { address, days, start } = useThreatWindow()
  const lookBack = days === '7' ? '' : `&days=${days}`
  const limit = pageSizeIn(address.one)
  const columns = useMemo(() => apiColumns(lookBack), [lookBack])
  const { sorting, sort } = useServerSort(address, usualSort, columns)
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchThreatApis',
    { startTs: start, endTs: 0, skip: pageIn(address.one) * limit, limit, sort },
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
        columns={columns}
        rowId={({ method, host, api }) => `${method} ${host} ${api}`}
        usualSort={usualSort}
        sorting={sorting}
        minWidth={640}
        address={address}
        rows={data?.apis ?? undefined}
        total={data?.total}
        stale={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
      />
    </>
  )
}
