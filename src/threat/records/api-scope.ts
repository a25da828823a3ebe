import type { Queryable } from '../../store/index.ts'
import type { KindFilter } from './event-filter.ts'
import type { Statement } from './statement.ts'

/** Hosts and methods, side by side, of the endpoints that a caller may see whole. */
export interface ApiScope {
  readonly hosts: readonly string[]
  readonly methods: readonly string[]
}

/**
 * The endpoints of a caller who may see some collections, where the figures of whole endpoints serve: where no host and
 * method has events of a collection that the caller may see and of another one. Null where they do not, where something
 * else is asked for, and for those who may see everything.
 */
export async function scopeOf(
  db: Queryable,
  { visible, filterIds }: KindFilter & { readonly visible: readonly number[] | null },
): Promise<ApiScope | null> {
  if (visible === null || (filterIds?.length ?? 0) > 0) return null
  const { rows } = await db.query<{ host: string; method: string; isWhole: boolean }>(
    `SELECT host, method, bool_and(sees) AS "isWhole" FROM (
       SELECT DISTINCT host, method, collection_id = ANY ($1::integer[]) AS sees
       FROM threat_facets) f
     GROUP BY 1, 2 HAVING bool_or(sees)`,
    [visible],
  )
  if (!rows.every(({ isWhole }) => isWhole)) return null
  return { hosts: rows.map(({ host }) => host), methods: rows.map(({ method }) => method) }
}

/** Condition on endpoints `p`. */
export function scopeCondition(scope: ApiScope | null, statement: Statement): string {
  if (scope === null) return 'TRUE'
  const { hosts, methods } = scope
  return `(p.host, p.method) IN (
    SELECT * FROM unnest(${statement.put(hosts)}::text[], ${statement.put(methods)}::text[]))`
}
