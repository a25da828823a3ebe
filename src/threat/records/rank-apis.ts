import type { Queryable } from '../../store/index.ts'
import { type ApiScope, scopeCondition } from './api-scope.ts'
import { type EventWindow, isOpen } from './event-window.ts'
import { Statement } from './statement.ts'
import { apiEventsWithin, apiFiguresSince, pairCondition } from './window-counts.ts'

/** An endpoint with its events and distinct actors of a window. */
interface RankedApi {
  readonly id: number
  readonly events: number
  readonly actors: number
}

/**
 * Endpoints with an event since a time, of which the first `count` by distinct actors are certainly some, in no order;
 * and the number of all.
 */
export async function rankSince(
  db: Queryable,
  from: number,
  count: number,
  isAscending: boolean,
  scope: ApiScope | null,
): Promise<{ apis: RankedApi[]; total: number }> {
  const statement = new Statement()
  const [way, atMost] = isAscending ? ['ASC', '<='] : ['DESC', '>=']
  const figures = apiFiguresSince(from, statement)
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

/** This many times the endpoints that are asked for are counted at first, and this many at least. */
const MORE_THAN_ASKED = 4
const COUNTED_AT_LEAST = 1000

/**
 * Endpoints of a window of which the first `count` by distinct actors, most first, are certainly some, in no order; and
 * the number of all endpoints of the window. The actors of all would have to be counted pair by pair: but no endpoint has
 * more of them than events in the window, nor than actors in all, and most lists are decided by these bounds.
 */
export async function rankByActors(
  db: Queryable,
  window: EventWindow,
  count: number,
  scope: ApiScope | null,
): Promise<{ apis: RankedApi[]; total: number }> {
  const bounds = await boundsWithin(db, window, scope)
  const events = bounds.reduce((sum, api) => sum + api.events, 0)
  const half = Math.max(count * MORE_THAN_ASKED, COUNTED_AT_LEAST)
  const first = bounds.slice(0, half)
  const actors = await actorsOf(db, idsOf(first), window, events)
  const known = first.map(({ id }) => actors.get(id) ?? 0).sort((a, b) => b - a)
  // Whatever may have as many actors as the last that is asked for is counted as well.
  const least = known[count - 1] ?? 0
  const end = bounds.findIndex(({ bound }) => bound < least)
  const rest = bounds.slice(half, end < 0 ? undefined : end)
  for (const [id, number] of await actorsOf(db, idsOf(rest), window, events)) actors.set(id, number)
  return {
    apis: [...first, ...rest]
      .map((api) => ({ id: api.id, events: api.events, actors: actors.get(api.id) ?? 0 }))
      .filter((api) => api.actors >= least),
    total: bounds.length,
  }
}

/** Up to this many events of a window are counted themselves, instead of looking up one for each pair that encloses it. */
const FEW_EVENTS = 300_000

/**
 * Distinct actors of some endpoints in a window.
 *
 * @param events of all endpoints in the window, where they are known
 */
export async function actorsOf(
  db: Queryable,
  ids: readonly number[],
  window: EventWindow,
  events?: number,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const statement = new Statement()
  const isOneOf = `= ANY (${statement.put(ids)}::integer[])`
  const text =
    !isOpen(window) && events !== undefined && events <= FEW_EVENTS
      ? `SELECT api_id, count(*)::integer AS actors FROM (SELECT api_id, actor_id FROM threat_events
           WHERE detected_at BETWEEN ${statement.put(window.from)} AND ${statement.put(window.to)} AND api_id ${isOneOf}
           GROUP BY 1, 2) m GROUP BY 1`
      : `SELECT m.api_id, count(*)::integer AS actors FROM threat_api_actors m
         WHERE m.api_id ${isOneOf} AND ${pairCondition(window, statement)} GROUP BY 1`
  const { rows } = await db.query<{ api_id: number; actors: number }>(text, statement.values)
  return new Map(rows.map(({ api_id, actors }) => [api_id, actors]))
}

interface Bound {
  readonly id: number
  readonly events: number
  /** No less than its distinct actors in the window. */
  readonly bound: number
}

/** Every endpoint of a window, the greatest bound first. */
async function boundsWithin(db: Queryable, window: EventWindow, scope: ApiScope | null): Promise<Bound[]> {
  const statement = new Statement()
  const { rows } = await db.query<{ ids: number[] | null; events: number[]; actors: number[] }>(
    `SELECT array_agg(p.id) AS ids, array_agg(c.events) AS events, array_agg(p.actors) AS actors
     FROM (${apiEventsWithin(window, statement)}) c JOIN threat_apis p ON p.id = c.api_id
     WHERE ${scopeCondition(scope, statement)}`,
    statement.values,
  )
  const { ids, events, actors } = rows[0]!
  return (ids ?? [])
    .map((id, i) => ({ id, events: events[i]!, bound: Math.min(events[i]!, actors[i]!) }))
    .sort((a, b) => b.bound - a.bound)
}

function idsOf(list: readonly { id: number }[]): number[] {
  return list.map(({ id }) => id)
}
