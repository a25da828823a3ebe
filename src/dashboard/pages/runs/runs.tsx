import { Button, Paper } from '@mantine/core'
import { IconFilterOff, IconPlayerPlay, IconTestPipe } from '@tabler/icons-react'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { pageTurns } from '../../data/list-address.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { runColumns } from './columns.tsx'
import { RunFilters } from './run-filters.tsx'
import { runFilterNames, useRuns } from './run-query.ts'
import { RunsTabs } from './runs-tabs.tsx'

const usualSort = { id: 'scheduleTimestamp', desc: true } as const

/** Every test run with its state, progress and findings. */
export default function Runs() {
  const runs = useRuns()
  const { rows, error, refetch, address, filtered } = runs
  const { choices } = useCollectionNames()
  const mayWrite = useMayWrite()
  const isEmpty = rows !== undefined && runs.total === 0
  return (
    <>
      <PageHeader
        title="Test runs"
        description="What was tested, when, and the findings."
        actions={mayWrite && <NewRunButton />}
      />
      <RunsTabs />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        {(filtered || !isEmpty) && <RunFilters address={address} filtered={filtered} collections={choices} />}
        {rows === undefined && !error && <TableSkeleton label="Loading the runs" />}
        {isEmpty &&
          (filtered ? (
            <EmptyState
              icon={<IconFilterOff size={28} />}
              title="No run meets the filters"
              actions={
                <Button
                  onClick={() => address.change(Object.fromEntries(runFilterNames.map((name) => [name, ''])))}
                >
                  Clear the filters
                </Button>
              }
            >
              No run matches all filters. Enter at least three letters to search by name.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconTestPipe size={28} />}
              title="Nothing was tested yet"
              actions={mayWrite && <NewRunButton />}
            >
              A run tries security tests on the endpoints of a collection and proves what it finds. Before it
              starts, you see what would be sent.
            </EmptyState>
          ))}
        {rows !== undefined && !isEmpty && <RunTable runs={runs} />}
      </Paper>
    </>
  )
}

function NewRunButton() {
  return (
    <Button component={Link} to="/runs/new" leftSection={<IconPlayerPlay size={16} />}>
      New run
    </Button>
  )
}

function RunTable({ runs }: { runs: ReturnType<typeof useRuns> }) {
  const { address, rows = [], page, pageSize, total, isPlaceholderData } = runs
  const { names } = useCollectionNames()
  const sorting = useSorting(address.one('sort'), usualSort)
  const columns = useMemo(() => runColumns(names), [names])
  const table = useReactTable({
    data: rows,
    columns,
    state: { sorting },
    onSortingChange: (update) => address.setSearch((now) => sortingOut(now, update, usualSort)),
    getRowId: ({ run }) => run.hexId,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSortingRemoval: false,
  })
  return (
    <>
      <DataTable
        table={table}
        label="Test runs"
        stale={isPlaceholderData}
        emptyText="There is nothing on this page of the list."
        minWidth={760}
      />
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        shown={rows.length}
        {...pageTurns(address.change)}
        what="runs"
      />
    </>
  )
}
