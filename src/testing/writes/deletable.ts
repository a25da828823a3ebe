import { absoluteUrl } from '../../http/index.ts'
import type { Lookups } from '../../rules/index.ts'
import type { WantedWrite } from './wanted-write.ts'

/** Answers that say that callers may not delete at all. */
const REFUSALS = new Set([403, 405])

/**
 * Whether what a test makes at a URL can be deleted: a request is known that deletes it, and not everybody who was recorded
 * deleting something of the list was refused.
 */
export function isDeletable(
  lookups: Lookups,
  { endpoint, related }: Pick<WantedWrite, 'endpoint' | 'related'>,
  url: string,
): boolean {
  if (!lookups.isKnownEndpoint(endpoint.collectionId, 'DELETE', url)) return false
  const list = listOf(url)
  const deletions = related.filter(
    ({ request }) => request.method === 'DELETE' && listOf(absoluteUrl(request)) === list,
  )
  return deletions.length === 0 || deletions.some(({ response }) => !REFUSALS.has(response.status))
}

function listOf(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/?[^/]*\/?$/, '')
}
