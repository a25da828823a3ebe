import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'

/** Longest list and text read from an address: it may come from anywhere. */
const mostValues = 50
const longestValue = 8_192

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

interface Page {
  /** Counted from 0. */
  readonly page: number
  readonly pageSize: number
  /** Rows on the page; undefined until they are there. */
  readonly rows: number | undefined
  /** Rows on all pages. */
  readonly total: number | undefined
}

/** The last page, where the one asked for is past it because rows went away or the link is old; null elsewhere. */
export function lastPageBefore({ page, pageSize, rows, total = 0 }: Page): number | null {
  const last = Math.ceil(total / pageSize) - 1
  return rows === 0 && total > 0 && page > last ? last : null
}

/** Turns a list whose page is past its end to the last page. */
export function useLastPage(page: Page, onPage: (page: number) => void): void {
  const last = lastPageBefore(page)
  useEffect(() => {
    if (last !== null) onPage(last)
  }, [last, onPage])
}

/** The address without the page and the order: what is chosen in one list is not chosen in another. */
export function filterKey(search: URLSearchParams): string {
  const filters = new URLSearchParams(search)
  for (const name of ['page', 'size', 'sort']) filters.delete(name)
  return filters.toString()
}
