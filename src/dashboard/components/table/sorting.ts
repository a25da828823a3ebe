import type { SortingState, Updater } from '@tanstack/react-table'
import { useMemo } from 'react'

type Sort = SortingState[number]

/** {@link sortingIn}, the same array until the text changes: a table works anew whenever its state is another object. */
export function useSorting(text: string | null, otherwise: Sort): SortingState {
  return useMemo(() => sortingIn(text, otherwise), [text, otherwise])
}

/** Sorting kept in an address as `column` or `-column`; absent gives `otherwise`. */
function sortingIn(text: string | null, otherwise: Sort): SortingState {
  if (text === null || text === '') return [otherwise]
  return [text.startsWith('-') ? { id: text.slice(1), desc: true } : { id: text, desc: false }]
}

/** The address after a change of sorting: back on the first page, and silent about the usual order. */
export function sortingOut(
  search: URLSearchParams,
  update: Updater<SortingState>,
  otherwise: Sort,
): URLSearchParams {
  const before = sortingIn(search.get('sort'), otherwise)
  const sort = (typeof update === 'function' ? update(before) : update)[0] ?? otherwise
  const next = new URLSearchParams(search)
  next.delete('page')
  if (sort.id === otherwise.id && sort.desc === otherwise.desc) next.delete('sort')
  else next.set('sort', sort.desc ? `-${sort.id}` : sort.id)
  return next
}
