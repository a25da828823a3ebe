import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { pageIn, pageSizeIn, pageTurns, useLastPage, type useListAddress } from '../../data/list-address.ts'

interface PagedListProps<T> {
  readonly label: string
  /** What is counted: "actors". */
  readonly what: string
  /** Shown when there is nothing. */
  readonly none: ReactNode
  /** Headings; one that begins with > stands over numbers. */
  readonly columns: readonly string[]
  /** Pixels. */
  readonly minWidth: number
  readonly address: ReturnType<typeof useListAddress>
  /** Undefined until they are there. */
  readonly rows: readonly T[] | undefined
  readonly total: number | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  /** Shown above the list. */
  readonly filters?: ReactNode
  /** One row of the table, with its key; cells have a data-label for cards. */
  readonly row: (one: T) => ReactNode
}

/** A list whose page is in the address: while it loads, with its failure, empty, and full. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { label, what, none, columns, minWidth, address, rows, total, error, onRetry, filters, row } = props
  const [page, pageSize] = [pageIn(address.one), pageSizeIn(address.one)]
  useLastPage(address, { page, pageSize, rows: rows?.length, total })
  const isEmpty = rows?.length === 0 && !total
  return (
    <Paper withBorder>
      {filters}
      {error && <FailureNotice error={error} onRetry={onRetry} />}
      {rows === undefined && !error && <TableSkeleton label={`Loading the ${what}`} />}
      {isEmpty && none}
      {rows !== undefined && !isEmpty && (
        <>
          <CardFrame label={label}>
            <Table aria-label={label} miw={minWidth} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Th key={column} ta={column.startsWith('>') ? 'right' : 'left'}>
                      {column.replace(/^>/, '')}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>{rows.map(row)}</Table.Tbody>
            </Table>
          </CardFrame>
          <Pager page={page} pageSize={pageSize} total={total} {...pageTurns(address.change)} what={what} />
        </>
      )}
    </Paper>
  )
}
