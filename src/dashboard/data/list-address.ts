import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Longest list and text read from an address: it may come from anywhere. */
const mostValues = 50
const longestValue = 400

/**
 * The state of a list kept in the address, so that every view is a link. Changing anything but the page goes back to
 * the first page.
 */
export function useListAddress() {
  const [search, setSearch] = useSearchParams()
  const one = (name: string) => (search.get(name) ?? '').slice(0, longestValue)
  const several = (name: string) =>
    search
      .getAll(name)
      .slice(0, mostValues)
      .map((value) => value.slice(0, longestValue))
  const change = useCallback(
    (changes: Record<string, string | readonly string[]>) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (!Object.hasOwn(changes, 'page')) next.delete('page')
          for (const [name, value] of Object.entries(changes)) {
            next.delete(name)
            for (const item of typeof value === 'string' ? [value] : value)
              if (item !== '') next.append(name, item)
          }
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  return { search, one, several, change, setSearch }
}

/** The page that an address asks for, counted from 0. */
export function pageIn(one: (name: string) => string): number {
  return Math.max((Number(one('page')) || 1) - 1, 0)
}

/** Rows on a page that an address asks for; 50 unless it does. */
export function pageSizeIn(one: (name: string) => string): number {
  return Math.min(Math.max(Number(one('size')) || 50, 1), 200)
}

/** What a pager does: it turns pages in the address. */
export function pageTurns(change: (changes: Record<string, string>) => void) {
  return {
    onPage: (page: number) => change({ page: page === 0 ? '' : String(page + 1) }),
    onPageSize: (size: number) => change({ size: String(size) }),
  }
}

/** The address without the page and the order: what is chosen in one list is not chosen in another. */
export function filterKey(search: URLSearchParams): string {
  const filters = new URLSearchParams(search)
  for (const name of ['page', 'size', 'sort']) filters.delete(name)
  return filters.toString()
}
