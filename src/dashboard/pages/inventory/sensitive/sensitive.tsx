import { Button, Group, Paper } from '@mantine/core'
import { IconPlus, IconShieldCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { listedStates } from '../../../components/endpoint/endpoint-states.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { ClearFilters, SeveralFilter } from '../../../components/filters.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { pageIn, pageSizeIn, pageTurns, useListAddress } from '../../../data/list-address.ts'
import { useRead } from '../../../data/use-operation.ts'
import { SensitiveMatrix } from './sensitive-matrix.tsx'

/** Which endpoints carry which sensitive data, and in which direction. */
export default function Sensitive() {
  const address = useListAddress()
  const { one, several, change } = address
  const types = useRead('fetchDataTypes', {})
  const page = pageIn(one)
  const pageSize = pageSizeIn(one)
  const chosen = several('type')
  const filtered = chosen.length > 0 || one('q') !== ''
  const { data, error, refetch, isPlaceholderData } = useRead(
    'searchEndpoints',
    {
      search: one('q') || null,
      sensitive: true,
      state: listedStates,
      sensitiveType: chosen.length === 0 ? null : chosen,
      sortKey: 'riskScore',
      sortOrder: -1,
      skip: page * pageSize,
      limit: pageSize,
    },
    { keepLast: true, refreshEvery: 30_000 },
  )
  return (
    <>
      <PageHeader
        title="Sensitive data"
        description="Endpoints that carry sensitive data, by data type and direction; the riskiest first."
        actions={
          <Button component={Link} to="/apis/data-types" variant="default">
            Data types
          </Button>
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        <Group p="sm" gap="sm">
          <SearchField label="Search paths" value={one('q')} onSearch={(text) => change({ q: text })} />
          <SeveralFilter
            address={address}
            name="type"
            label="Data type"
            data={(types.data?.dataTypes ?? []).map(({ name }) => ({ value: name, label: name }))}
            width={180}
          />
          {filtered && <ClearFilters change={change} names={['q', 'type']} />}
        </Group>
        {data === undefined && !error && <TableSkeleton label="Loading the endpoints" />}
        {data?.total === 0 && <NothingSensitive filtered={filtered} />}
        {data !== undefined && data.total > 0 && (
          <>
            <SensitiveMatrix rows={data.endpoints} stale={isPlaceholderData} />
            <Pager
              page={page}
              pageSize={pageSize}
              total={data.total}
              shown={data.endpoints.length}
              isTotalExact={data.isTotalExact}
              {...pageTurns(change)}
              what="endpoints"
            />
          </>
        )}
      </Paper>
    </>
  )
}

function NothingSensitive({ filtered }: { readonly filtered: boolean }) {
  return (
    <EmptyState
      icon={<IconShieldCheck size={28} />}
      title={filtered ? 'No endpoint matches the filters' : 'No sensitive data was found'}
      actions={
        !filtered && (
          <Button component={Link} to="/start" leftSection={<IconPlus size={16} />}>
            Add traffic
          </Button>
        )
      }
    >
      {filtered
        ? 'Clear the filters to see every endpoint with sensitive data.'
        : 'Vigil looks for sensitive data in every recorded request and response.'}
    </EmptyState>
  )
}
