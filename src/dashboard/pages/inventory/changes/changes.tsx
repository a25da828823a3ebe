import { Button, Group, Paper, Select, Table, Text } from '@mantine/core'
import { IconHistoryOff } from '@tabler/icons-react'
import type { EndpointChange } from '../../../../contract/browser.ts'
import { EndpointLink } from '../../../components/endpoint/endpoint-link.tsx'
import { AddTraffic } from '../../../components/feedback/add-traffic.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { ClearFilters, SeveralFilter } from '../../../components/filters.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { pageIn, pageSizeIn, pageTurns, useListAddress } from '../../../data/list-address.ts'
import { startOfWindow, timeWindowChange, timeWindowIn, timeWindows } from '../../../data/time-windows.ts'
import { useRead } from '../../../data/use-operation.ts'
import { changeLooks } from './change-words.ts'
import { DriftCounts } from './drift-counts.tsx'

/** Where the server ends counting. */
const MOST_COUNTED = 1_000
const MINUTE_SECONDS = 60

const kinds = Object.entries(changeLooks).map(([value, { label }]) => ({ value, label }))

/** What became known or changed in the inventory, newest first. */
export default function Changes() {
  const address = useListAddress()
  const { one, several, change } = address
  const days = timeWindowIn(one)
  const page = pageIn(one)
  const pageSize = pageSizeIn(one)
  const chosen = several('kind').filter((kind) => Object.hasOwn(changeLooks, kind))
  const filtered = chosen.length > 0 || one('q') !== ''
  const { data, error, refetch, isPlaceholderData } = useRead(
    'fetchChanges',
    {
      startTimestamp: startOfWindow(days, MINUTE_SECONDS),
      endTimestamp: 0,
      kinds: chosen.length === 0 ? null : (chosen as EndpointChange['kind'][]),
      search: one('q') || null,
      skip: page * pageSize,
      limit: pageSize,
    },
    { keepLast: true, refreshEvery: 30_000 },
  )
  return (
    <>
      <PageHeader
        title="Changes"
        description="New endpoints, parameters, sensitive data, authentication and access, and decisions about path templates."
        actions={
          <Select
            aria-label="Time"
            w={150}
            data={[...timeWindows]}
            value={days}
            allowDeselect={false}
            onChange={(value) => change(timeWindowChange(value))}
          />
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <DriftCounts />
      <Paper withBorder>
        <Group p="sm" gap="sm">
          <SearchField label="Search paths" value={one('q')} onSearch={(text) => change({ q: text })} />
          <SeveralFilter address={address} name="kind" label="Kind of change" data={kinds} width={180} />
          {filtered && <ClearFilters change={change} names={['q', 'kind']} />}
        </Group>
        {data === undefined && !error && <TableSkeleton label="Loading the changes" />}
        {data?.total === 0 && (
          <NoChanges
            filtered={filtered}
            onClear={() => change({ q: '', kind: '' })}
            onAllTime={days === '0' ? null : () => change(timeWindowChange('0'))}
          />
        )}
        {data !== undefined && data.total > 0 && (
          <>
            <ChangeTable changes={data.changes} stale={isPlaceholderData} />
            <Pager
              page={page}
              pageSize={pageSize}
              total={data.total}
              shown={data.changes.length}
              isTotalExact={data.total < MOST_COUNTED}
              {...pageTurns(change)}
              what="changes"
            />
          </>
        )}
      </Paper>
    </>
  )
}

interface ChangeTableProps {
  readonly changes: readonly EndpointChange[]
  readonly stale: boolean
}

function ChangeTable({ changes, stale }: ChangeTableProps) {
  return (
    <CardFrame label="Changes">
      <Table aria-label="Changes" aria-busy={stale} miw={760} verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Change</Table.Th>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>What</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ apiInfoKey: key, kind, what, timestamp }) => (
            <Table.Tr key={`${key.apiCollectionId} ${key.method} ${key.url} ${kind} ${what} ${timestamp}`}>
              <Table.Td data-label="When">
                <TimeAgo seconds={timestamp} />
              </Table.Td>
              <Table.Td data-label="Change">
                <Tag tone={changeLooks[kind].tone}>{changeLooks[kind].label}</Tag>
              </Table.Td>
              <Table.Td data-label="Endpoint">
                <EndpointLink endpointKey={key} />
              </Table.Td>
              <Table.Td data-label="What">
                <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {kind === 'NEW_ENDPOINT' ? '–' : what.replaceAll('#', '.')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

interface NoChangesProps {
  readonly filtered: boolean
  readonly onClear: () => void
  /** Null where all time is looked at. */
  readonly onAllTime: (() => void) | null
}

function NoChanges({ filtered, onClear, onAllTime }: NoChangesProps) {
  return (
    <EmptyState
      icon={<IconHistoryOff size={28} />}
      title="No changes in this time"
      actions={
        <>
          {filtered && <Button onClick={onClear}>Clear the filters</Button>}
          {onAllTime && (
            <Button variant="default" onClick={onAllTime}>
              Show all time
            </Button>
          )}
          {!filtered && onAllTime === null && <AddTraffic />}
        </>
      }
    >
      {filtered
        ? 'No change in this time matches the filters: clear them, or look further back.'
        : 'Changes are listed here when traffic or an import shows something new.'}
    </EmptyState>
  )
}
