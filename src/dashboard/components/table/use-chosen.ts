import type { OnChangeFn, RowSelectionState } from '@tanstack/react-table'
import { useState } from 'react'

/**
 * Rows that somebody chose; they stay chosen when the page is turned or read again, whether or not they are still on it.
 *
 * @param rows of the page that is shown
 */
export function useChosen<Row>(rows: readonly Row[], idOf: (row: Row) => string) {
  const [kept, setChosen] = useState<readonly Row[]>([])
  const onPage = new Map(rows.map((row) => [idOf(row), row]))
  const chosen = kept.map((row) => onPage.get(idOf(row)) ?? row)
  const rowSelection: RowSelectionState = Object.fromEntries(chosen.map((row) => [idOf(row), true]))
  const onRowSelectionChange: OnChangeFn<RowSelectionState> = (update) => {
    const next = typeof update === 'function' ? update(rowSelection) : update
    const others = rows.filter((row) => !Object.hasOwn(rowSelection, idOf(row)))
    setChosen([...chosen, ...others].filter((row) => next[idOf(row)]))
  }
  return { chosen, setChosen, rowSelection, onRowSelectionChange }
}
