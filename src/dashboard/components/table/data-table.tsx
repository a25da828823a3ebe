import { Table, Text } from '@mantine/core'
import {
  type Cell,
  flexRender,
  type Row,
  type RowData,
  type Table as TableModel,
} from '@tanstack/react-table'
import { CardControls } from './card-controls.tsx'
import classes from './data-table.module.css'
import { HeaderCell } from './header-cell.tsx'
import { moveBetweenRows } from './row-keys.ts'
import { ScrollFrame } from './scroll-frame.tsx'
import { useIsPrinted } from './use-is-printed.ts'
import { VirtualRows } from './virtual-rows.tsx'

/** Tables with more rows keep only those near the screen in the document. */
const MOST_PLAIN_ROWS = 100

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Numbers stand at the right. */
    align?: 'right'
    /** Least width in pixels. */
    minWidth?: number
    /** Label of the column where the header is not text, or is hidden. */
    label?: string
    /** Not shown as text: a column of buttons. */
    quiet?: boolean
    /** Place among the lines of a card on phones; those without one follow in their order. */
    phone?: number
  }
}

interface DataTableProps<Row> {
  readonly table: TableModel<Row>
  /** Accessible name of the table. */
  readonly label: string
  /** Older rows are shown while newer ones are on their way. */
  readonly stale?: boolean
  /** Said when there are no rows. */
  readonly emptyText: string
  /** Least width in pixels before the table scrolls sideways. */
  readonly minWidth?: number
}

/**
 * A table of a TanStack model: sortable heads, movement between rows by j, k and arrows, sideways scrolling. Of long
 * tables only the rows near the screen are in the document, and all of them on paper.
 */
export function DataTable<Row>({
  table,
  label,
  stale = false,
  emptyText,
  minWidth = 720,
}: DataTableProps<Row>) {
  const rows = table.getRowModel().rows
  const isPrinted = useIsPrinted()
  const isLong = rows.length > MOST_PLAIN_ROWS && !isPrinted
  return (
    <>
      <CardControls table={table} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links of the rows */}
      <div
        onKeyDown={moveBetweenRows}
        className={classes['frame']}
        data-edge="narrow"
        data-stale={stale || undefined}
      >
        <ScrollFrame label={label}>
          <Table
            aria-label={label}
            aria-busy={stale}
            aria-rowcount={isLong ? rows.length + 1 : undefined}
            highlightOnHover
            miw={minWidth}
            verticalSpacing={7}
            horizontalSpacing={8}
          >
            <Table.Thead className={classes['head']}>
              {table.getHeaderGroups().map((group) => (
                <Table.Tr key={group.id} aria-rowindex={isLong ? 1 : undefined}>
                  {group.headers.map((header) => (
                    <HeaderCell key={header.id} header={header} />
                  ))}
                </Table.Tr>
              ))}
            </Table.Thead>
            {isLong ? <VirtualRows rows={rows}>{cellsOf}</VirtualRows> : <PlainRows rows={rows} />}
          </Table>
        </ScrollFrame>
        {rows.length === 0 && (
          <Text c="dimmed" ta="center" py="xl" role="status">
            {emptyText}
          </Text>
        )}
      </div>
    </>
  )
}

function PlainRows<Of>({ rows }: { rows: readonly Row<Of>[] }) {
  return (
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr key={row.id}>{cellsOf(row)}</Table.Tr>
      ))}
    </Table.Tbody>
  )
}

function cellsOf<Of>(row: Row<Of>) {
  return row.getVisibleCells().map((cell) => <BodyCell key={cell.id} cell={cell} />)
}

function BodyCell<Row>({ cell }: { cell: Cell<Row, unknown> }) {
  const { align, minWidth, label, quiet, phone } = cell.column.columnDef.meta ?? {}
  const { header } = cell.column.columnDef
  return (
    <Table.Td
      ta={align}
      miw={minWidth}
      className={align === 'right' ? classes['number'] : undefined}
      data-label={quiet ? undefined : (label ?? (typeof header === 'string' ? header : undefined))}
      style={phone === undefined ? undefined : { order: phone - 10 }}
    >
      {flexRender(cell.column.columnDef.cell, cell.getContext())}
    </Table.Td>
  )
}
