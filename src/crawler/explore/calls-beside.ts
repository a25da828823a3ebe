import type { ObservedPaths } from './observed-paths.ts'

/** A request that nothing names. */
interface CallBeside {
  readonly method: string
  readonly url: string
}

/**
 * What most APIs offer for the list of a path that scripts write to: another entry, and reading, changing and deleting one.
 * Only what the crawl made is changed and deleted.
 *
 * @param template the path, `{}` for parameters: that of the list or of one of its entries
 * @param urlOf URL of a template; null where it is not known
 */
export function callsBeside(
  template: readonly string[],
  urlOf: (template: readonly string[]) => string | null,
  paths: ObservedPaths,
): CallBeside[] {
  const isEntry = template.at(-1)!.includes('{}')
  const lists = [template, ...(isEntry && template.length > 1 ? [template.slice(0, -1)] : [])]
  return lists.flatMap((list) => {
    const url = urlOf(list)
    if (url === null || !paths.hasListAt(new URL(url))) return []
    const [own] = paths.ownAt(new URL(url))
    const entry = own === undefined ? null : `${url}/${encodeURIComponent(own.toWellFormed())}`
    const changes = entry === null ? [] : ['GET', 'PATCH', 'DELETE'].map((method) => ({ method, url: entry }))
    return [{ method: 'POST', url }, ...changes]
  })
}
