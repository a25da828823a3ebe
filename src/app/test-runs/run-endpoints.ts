import { IS_SET_ASIDE } from '../../inventory/index.ts'
import type { Store } from '../../store/index.ts'
import type { EndpointKey, RunView } from '../../testing/index.ts'

/** Most endpoints of one run. */
const MAX_ENDPOINTS = 100_000

/** What a run aims at, and what of it may not be tested. */
interface RunEndpoints {
  readonly endpoints: readonly EndpointKey[]
  /** Everything that it aims at is out of testing scope. */
  readonly isOutOfScope: boolean
}

/** The endpoints of a run: named ones, or all of its collections and groups; those out of testing scope are left out. */
export async function endpointsOf(store: Store, run: RunView): Promise<RunEndpoints> {
  const { rows } = await store.pool.query<{
    method: string
    url: string
    collectionId: number
    isOut: boolean
    seen: number
  }>(
    `SELECT e.method, e.url, e.collection_id AS "collectionId", e.discovered_at AS seen,
       c.is_out_of_testing_scope OR ${IS_SET_ASIDE} AS "isOut"
     FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.is_listed AND NOT c.is_deactivated
       AND (e.collection_id = ANY ($1::integer[])
         OR e.id IN (SELECT m.endpoint_id FROM group_members m WHERE m.group_id = ANY ($1::integer[])))
     ORDER BY e.collection_id, e.url, e.method LIMIT $2`,
    [run.collectionIds, MAX_ENDPOINTS],
  )
  const wanted = wantedBy(run)
  const aimed = rows.filter(
    (row) => wanted === null || wanted.has(`${row.collectionId} ${row.method} ${row.url}`),
  )
  const fresh = run.periodSeconds < 0 ? aimed.filter((row) => row.seen >= run.coveredUntil) : aimed
  return {
    endpoints: fresh
      .filter((row) => !row.isOut)
      .map(({ collectionId, method, url }) => ({ collectionId, method, url })),
    isOutOfScope: aimed.length > 0 && aimed.every((row) => row.isOut),
  }
}

function wantedBy(run: RunView): Set<string> | null {
  if (run.targetType !== 'CUSTOM') return null
  return new Set((run.targetEndpoints ?? []).map((key) => `${key.apiCollectionId} ${key.method} ${key.url}`))
}
