import { Button, Group, Paper, SegmentedControl } from '@mantine/core'
import { IconFilterPlus, IconFolderOff, IconFolderPlus, IconPlus } from '@tabler/icons-react'
import {
  getCoreRowModel,
  getPaginationRowModel,
  getSortedRowModel,
  useReactTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { useMayWrite, useMayWriteAll } from '../../data/use-own-user.ts'
import { columns } from './columns.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { GroupConditionsDialog } from './group-conditions-dialog.tsx'
import { type CollectionRow, useCollections } from './use-collections.ts'

/** The list is in the browser as a whole. */
const longPages = [1_000, 10_000]

const usualSort = { id: 'lastSeen', desc: true } as const

type Show = 'active' | 'deactivated' | 'all'

function matches(row: CollectionRow, search: string, show: Show): boolean {
  if (show !== 'all' && row.deactivated !== (show === 'deactivated')) return false
  const wanted = search.trim().toLowerCase()
  return [row.name, row.displayName, row.hostName, row.description, row.envType].some((text) =>
    text?.toLowerCase().includes(wanted),
  )
}

/** All collections: search, sort, create, and what can be done with one. */
export default function Collections() {
  const { rows, error, partial, retry } = useCollections()
  const [creating, setCreating] = useState<'collection' | 'group' | null>(null)
  const mayWrite = useMayWrite()
  const mayWriteAll = useMayWriteAll()
  return (
    <>
      <PageHeader
        title="Collections"
        description="APIs found in traffic or described by specifications."
        actions={
          mayWrite && (
            <>
              {mayWriteAll && (
                <Button
                  variant="default"
                  leftSection={<IconFilterPlus size={16} />}
                  onClick={() => setCreating('group')}
                >
                  New group
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<IconFolderPlus size={16} />}
                onClick={() => setCreating('collection')}
              >
                New collection
              </Button>
            </>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={retry} />}
      {partial && <FailureNotice error={partial} onRetry={retry} />}
      {rows === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the collections" />
        </Paper>
      )}
      {rows !== undefined && <CollectionTable rows={rows} />}
      {creating === 'collection' && <CreateDialog onClose={() => setCreating(null)} />}
      {creating === 'group' && <GroupConditionsDialog group={null} onClose={() => setCreating(null)} />}
    </>
  )
}

function CollectionTable({ rows }: { rows: readonly CollectionRow[] }) {
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const show = (search.get('show') ?? 'active') as Show
  const data = useMemo(() => rows.filter((row) => matches(row, text, show)), [rows, text, show])
  const sorting = useSorting(search.get('sort'), usualSort)
  const [pagination, setPagination] = useState({ pageIndex: 0, pageSize: 50 })
  const table = useReactTable({
    data,
    columns,
    state: { sorting, pagination },
    onSortingChange: (update) => setSearch((now) => sortingOut(now, update, usualSort)),
    onPaginationChange: setPagination,
    getRowId: (row) => String(row.id),
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
    enableSortingRemoval: false,
    // Filters go back to the first page on their own; news of the server must not.
    autoResetPageIndex: false,
  })
  const change = (name: string, value: string) => {
    table.setPageIndex(0)
    setSearch(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  }
  if (rows.length === 0) return <NoCollections />
  return (
    <Paper withBorder>
      <Group p="sm" gap="sm">
        <SearchField label="Search collections" value={text} onSearch={(value) => change('q', value)} />
        <SegmentedControl
          aria-label="State"
          size="xs"
          value={show}
          onChange={(value) => change('show', value === 'active' ? '' : value)}
          data={[
            { value: 'active', label: 'Active' },
            { value: 'deactivated', label: 'Deactivated' },
            { value: 'all', label: 'All' },
          ]}
        />
      </Group>
      <DataTable
        table={table}
        label="Collections"
        emptyText="No collection matches. Clear the search, or show all states."
        minWidth={980}
      />
      <Pager
        page={pagination.pageIndex}
        pageSize={pagination.pageSize}
        total={data.length}
        shown={table.getRowModel().rows.length}
        onPage={table.setPageIndex}
        onPageSize={table.setPageSize}
        what="collections"
        moreSizes={longPages}
      />
    </Paper>
  )
}

function NoCollections() {
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconFolderOff size={28} />}
        title="No collection yet"
        actions={
          <Button component={Link} to="/start" leftSection={<IconPlus size={16} />}>
            Add traffic
          </Button>
        }
      >
        Collections appear when traffic arrives: drop a recording such as a HAR file, or send live messages.
      </EmptyState>
    </Paper>
  )
}
