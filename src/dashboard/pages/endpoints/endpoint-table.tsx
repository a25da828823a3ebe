import { Group } from '@mantine/core'
import { getCoreRowModel, useReactTable } from '@tanstack/react-table'
import { lazy, Suspense, useMemo } from 'react'
import type { EndpointOverview, RequestBodyOf } from '../../../contract/browser.ts'
import { ColumnMenu } from '../../components/table/column-menu.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { SelectAll } from '../../components/table/select-all.tsx'
import { sortingOut, useSorting } from '../../components/table/sorting.ts'
import { useChosen } from '../../components/table/use-chosen.ts'
import { useHiddenColumns } from '../../data/hidden-columns.ts'
import type { useListAddress } from '../../data/list-address.ts'
import { pageTurns } from '../../data/list-address.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { endpointColumns, hiddenAtFirst, weekColumns } from './columns.tsx'
import { fetchEveryEndpoint } from './fetch-every-endpoint.ts'
import { useWithTraffic } from './use-with-traffic.ts'

// Only people who choose endpoints need it: the first view of the list stays small.
const BulkActions = lazy(() => import('./bulk-actions.tsx'))

interface EndpointTableProps {
  readonly rows: EndpointOverview[]
  /** Matches over all pages. */
  readonly total: number
  readonly isTotalExact: boolean
  readonly collection: number | null
  readonly page: number
  readonly pageSize: number
  readonly stale: boolean
  /** Of the page that is shown. */
  readonly request: RequestBodyOf<'searchEndpoints'>
  readonly address: ReturnType<typeof useListAddress>
}

const rowIdOf = ({ id }: EndpointOverview) => `${id.apiCollectionId} ${id.method} ${id.url}`

const usualSort = { id: 'riskScore', desc: true } as const

/** One page of endpoints; the server sorts, filters and counts. */
export function EndpointTable(props: EndpointTableProps) {
  const { rows, total, isTotalExact, collection, page, pageSize, stale, request, address } = props
  const sorting = useSorting(address.one('sort'), usualSort)
  const mayWrite = useMayWrite()
  const columns = useMemo(() => endpointColumns(collection, mayWrite), [collection, mayWrite])
  const [columnVisibility, setColumnVisibility] = useHiddenColumns('endpoints', hiddenAtFirst)
  const { chosen, setChosen, rowSelection, onRowSelectionChange } = useChosen(rows, rowIdOf)
  const asksTraffic = weekColumns.some((id) => columnVisibility[id] !== false)
  const data = useWithTraffic(rows, asksTraffic)
  const table = useReactTable({
    data,
    columns,
    state: { sorting, columnVisibility, rowSelection },
    onColumnVisibilityChange: setColumnVisibility,
    onRowSelectionChange,
    onSortingChange: (update) => address.setSearch((now) => sortingOut(now, update, usualSort)),
    getRowId: rowIdOf,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    manualPagination: true,
    enableSortingRemoval: false,
  })
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap" pe="sm" pb="sm">
        {chosen.length > 0 ? (
          <Suspense fallback={<span />}>
            <BulkActions collection={collection} chosen={chosen} onDone={() => setChosen([])}>
              {table.getIsAllRowsSelected() && total > chosen.length && (
                <SelectAll
                  total={total}
                  isTotalExact={isTotalExact}
                  what="endpoint"
                  fetchEvery={() => fetchEveryEndpoint(request)}
                  onSelected={setChosen}
                />
              )}
            </BulkActions>
          </Suspense>
        ) : (
          <span />
        )}
        <ColumnMenu table={table} />
      </Group>
      <DataTable
        table={table}
        label="Endpoints"
        stale={stale}
        emptyText="There is nothing on this page of the list."
        minWidth={800}
      />
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        shown={rows.length}
        isTotalExact={isTotalExact}
        {...pageTurns(address.change)}
        what="endpoints"
      />
    </>
  )
}
