import type { Queryable } from '../../store/index.ts'
import { type ApiScope, scopeCondition } from './api-scope.ts'
import { type EventWindow, isOpen } from './event-window.ts'
import { Statement } from './statement.ts'
import { apiFiguresOf, apiFiguresWithin } from './window-counts.ts'

/** An endpoint with its events and distinct actors of a window. */
interface RankedApi {
  readonly id: number
  readonly events: number
  readonly actors: number
}

/**
 * Endpoints with an event in a window, of which the first `count` by distinct actors are certainly some, in no order;
 * and the number of all.
 */
export async function rankByActors(
  db: Queryable,
  window: EventWindow,
  { count, isAscending }: { count: number; isAscending: boolean },
  scope: ApiScope | null,
): Promise<{ apis: RankedApi[]; total: number }> {
  const statement = new Statement()
  const [way, atMost] = isAscending ? ['ASC', '<='] : ['DESC', '>=']
  const figures = apiFiguresWithin(window, statement)
  const inScope =
    scope === null ? '' : `JOIN threat_apis p ON p.id = f.api_id WHERE ${scopeCondition(scope, statement)}`
  const { rows } = await db.query<{ apis: [number, number, number][] | null; total: number }>(
    `WITH c AS MATERIALIZED (SELECT f.* FROM (${figures}) f ${inScope}),
       last AS (SELECT actors FROM c ORDER BY actors ${way} OFFSET ${statement.put(count - 1)} LIMIT 1)
     SELECT (SELECT count(*) FROM c) AS total, json_agg(json_build_array(api_id, events, actors)) AS apis
     FROM c WHERE actors ${atMost} coalesce((SELECT actors FROM last), actors)`,
    statement.values,
  )
  const { apis, total } = rows[0]!
  return { apis: (apis ?? []).map(([id, events, actors]) => ({ id, events, actors })), total }
}

/** Distinct actors of some endpoints in a window. */
export async function actorsOf(
  db: Queryable,
  ids: readonly number[],
  window: EventWindow,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const statement = new Statement()
  const among = `api_id = ANY (${statement.put(ids)}::integer[])`
  const text = isOpen(window)
    ? `SELECT api_id, count(*)::integer AS actors FROM threat_api_actors
       WHERE ${among} AND last_seen >= ${statement.put(window.from)} GROUP BY 1`
    : apiFiguresOf(window, statement, among)
  const { rows } = await db.query<{ api_id: number; actors: number }>(text, statement.values)
  return new Map(rows.map(({ api_id, actors }) => [api_id, actors]))
}
