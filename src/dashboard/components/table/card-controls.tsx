import { Checkbox, Group, NativeSelect } from '@mantine/core'
import type { Column, Table } from '@tanstack/react-table'
import { usePageText } from '../../i18n/use-page-text.ts'
import classes from './data-table.module.css'

/** Sorting and choosing all rows on phones, where rows are cards and the heads of the columns are not shown. */
export function CardControls<Row>({ table }: { readonly table: Table<Row> }) {
  const t = usePageText()
  const columns = table.getAllLeafColumns()
  const sortable = columns.filter((column) => column.getCanSort())
  const [sort] = table.getState().sorting ?? []
  const hasChoice = columns.some(({ id }) => id === 'choice')
  if (table.getRowModel().rows.length === 0 || (sortable.length === 0 && !hasChoice)) return null
  return (
    <Group px="sm" pb="xs" gap="sm" className={classes['cardControls']}>
      {sortable.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t('table.sortBy')}
          value={sort === undefined ? '' : `${sort.id} ${sort.desc ? 'desc' : 'asc'}`}
          onChange={(event) => {
            const [id = '', order] = event.currentTarget.value.split(' ')
            table.setSorting([{ id, desc: order === 'desc' }])
          }}
          data={sortable.flatMap((column) => [
            { value: `${column.id} desc`, label: t('table.descending', { column: nameOf(column) }) },
            { value: `${column.id} asc`, label: t('table.ascending', { column: nameOf(column) }) },
          ])}
        />
      )}
      {hasChoice && (
        <Checkbox
          size="xs"
          label={t('table.selectPage')}
          checked={table.getIsAllPageRowsSelected()}
          indeterminate={table.getIsSomePageRowsSelected()}
          onChange={table.getToggleAllPageRowsSelectedHandler()}
        />
      )}
    </Group>
  )
}

/** Choosing all rows of a page on phones, for tables that are written by hand. */
export function PageChoice({
  isChosen,
  onChange,
}: {
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}) {
  const t = usePageText()
  return (
    <Group px="sm" pb="xs" className={classes['cardControls']}>
      <Checkbox
        size="xs"
        label={t('table.selectPage')}
        checked={isChosen}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    </Group>
  )
}

function nameOf<Row>({ id, columnDef }: Column<Row, unknown>): string {
  return columnDef.meta?.label ?? (typeof columnDef.header === 'string' ? columnDef.header : id)
}
