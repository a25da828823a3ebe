import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Table } from '@tanstack/react-table'
import { usePageText } from '../../i18n/use-page-text.ts'

/** Chooses the columns of a table. */
export function ColumnMenu<Row>({ table }: { table: Table<Row> }) {
  const t = usePageText()
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" flex="none" leftSection={<IconColumns3 size={14} />}>
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
        <Stack gap="xs" role="group" aria-label={t('table.columns')}>
          {table
            .getAllLeafColumns()
            .filter((column) => column.getCanHide())
            .map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={column.columnDef.meta?.label ?? String(column.columnDef.header)}
                checked={column.getIsVisible()}
                onChange={column.getToggleVisibilityHandler()}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
