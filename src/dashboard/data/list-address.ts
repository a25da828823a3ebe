import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Longest list and text read from an address: it may come from anywhere. */
const mostValues = 50
const longestValue = 200

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
