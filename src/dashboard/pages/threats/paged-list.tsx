import { Paper } from '@mantine/core'
import { type ColumnDef, getCoreRowModel, type SortingState, useReactTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { pageIn, pageSizeIn, pageTurns, type useListAddress } from '../../data/list-address.ts'

/** The order of a list that its address asks for, as the server takes it; the usual one where no column has it. */
export function useServerSort<T>(
  address: ReturnType<typeof useListAddress>,
  usual: SortingState[number],
  // biome-ignore lint/suspicious/noExplicitAny: columns hold values of several types
  columns: readonly ColumnDef<T, any>[],
) {
  const asked = address.one('sort')
  const isKnown = columns.some(
    (column) =>
      column.enableSorting !== false &&
      'accessorKey' in column &&
      column.accessorKey === asked.replace(/^-/, ''),
  )
  const sorting = useSorting(isKnown ? asked : '', usual)
  const { id, desc } = sorting[0] ?? usual
  return { sorting, sort: { [id]: desc ? -1 : 1 } }
}

interface PagedListProps<T> {
  readonly label: string
  /** What is counted: "actors". */
  readonly what: string
  /** Shown when there is nothing. */
  readonly none: ReactNode
  /** Ids of those that can be sorted are keys of the server. The same array at every call. */
  // biome-ignore lint/suspicious/noExplicitAny: columns hold values of several types
  readonly columns: ColumnDef<T, any>[]
  readonly rowId: (one: T) => string
  /** The order without another one in the address, and that of the address. */
  readonly usualSort: SortingState[number]
  readonly sorting: SortingState
  /** Pixels. */
  readonly minWidth: number
  readonly address: ReturnType<typeof useListAddress>
  /** Undefined until they are there. */
  readonly rows: T[] | undefined
  readonly total: number | undefined
  readonly stale: boolean
  readonly error: Error | null
  readonly onRetry: () => void
  /** Shown above the list. */
  readonly filters?: ReactNode
}

/** A list whose page and order are in the address: while it loads, with its failure, empty, and full. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { what, none, rows, total, error, onRetry, filters } = props
  const isEmpty = rows?.length === 0 && !total
  return (
    <Paper withBorder>
      {filters}
      {error && <FailureNotice error={error} onRetry={onRetry} />}
      {rows === undefined && !error && <TableSkeleton label={`Loading the ${what}`} />}
      {isEmpty && none}
      {rows !== undefined && !isEmpty && <ListTable {...props} rows={rows} />}
    </Paper>
  )
}

function ListTable<T>(props: PagedListProps<T> & { readonly rows: T[] }) {
  const { label, what, columns, rowId, usualSort, sorting, minWidth, address, rows, total, stale } = props
  const table = useReactTable({
    data: rows,
    columns,
    state: { sorting },
    onSortingChange: (update) => address.setSearch((now) => sortingOut(now, update, usualSort)),
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSortingRemoval: false,
  })
  return (
    <>
      <DataTable
        table={table}
        label={label}
        stale={stale}
        emptyText="There is nothing on this page of the list."
        minWidth={minWidth}
      />
      <Pager
        page={pageIn(address.one)}
        pageSize={pageSizeIn(address.one)}
        total={total}
        shown={rows.length}
        {...pageTurns(address.change)}
        what={what}
      />
    </>
  )
}
