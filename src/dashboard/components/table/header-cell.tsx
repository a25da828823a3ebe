import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { flexRender, type Header } from '@tanstack/react-table'
import classes from './data-table.module.css'

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** Head of one column; a button when the column can be sorted. */
export function HeaderCell<Row>({ header }: { header: Header<Row, unknown> }) {
  const { column } = header
  const { align, minWidth, quiet, label } = column.columnDef.meta ?? {}
  const sorted = column.getIsSorted()
  const text = flexRender(column.columnDef.header, header.getContext())
  if (quiet) {
    return (
      <Table.Th miw={minWidth}>
        <VisuallyHidden>{label}</VisuallyHidden>
      </Table.Th>
    )
  }
  const Icon = sorted === 'asc' ? IconArrowUp : sorted === 'desc' ? IconArrowDown : IconArrowsSort
  return (
    <Table.Th ta={align} miw={minWidth} aria-sort={sorted ? ariaSort[sorted] : undefined}>
      {column.getCanSort() ? (
        <UnstyledButton
          className={classes['sort']}
          data-sorted={sorted || undefined}
          onClick={column.getToggleSortingHandler()}
        >
          {text}
          <Icon size={13} aria-hidden />
        </UnstyledButton>
      ) : (
        text
      )}
    </Table.Th>
  )
}
