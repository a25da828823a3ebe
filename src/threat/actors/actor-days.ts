import type { Queryable } from '../../store/index.ts'
import { DAY, type EventWindow } from '../records/event-window.ts'
import type { Statement } from '../records/statement.ts'

/** Distinct actors of a UTC day, and those of them with an event of severity HIGH or CRITICAL on it. */
export interface ActorDay {
  readonly day: number
  readonly actors: number
  readonly severe: number
}

/** Distinct actors of a window. */
export interface ActorTotals {
  readonly severe: number
  /** Those whose status is active. */
  readonly active: number
}

/** Distinct actors of a window, by day (ascending) and of the whole. */
export interface ActorCounts {
  readonly days: readonly ActorDay[]
  readonly totals: ActorTotals
}

/** Facets whose events count, and those of them of severity HIGH or CRITICAL. */
export interface AskedFacets {
  readonly fitting: readonly number[]
  readonly severe: readonly number[]
}

/** Days whose marks fit one number of the store, in two halves of 31 that are numbers here. */
const HALF = 31
const RUN = 2 * HALF
/** Longer windows are counted day by day: each run of days makes every event cost more. */
const MAX_RUNS = 4

/** Days with an event in a window, first and last; null without one. */
async function daySpan(db: Queryable, { from, to }: EventWindow): Promise<readonly [number, number] | null> {
  const { rows } = await db.query<{ first: number | null; last: number }>(
    'SELECT min(detected_at) AS first, max(detected_at) AS last FROM threat_events WHERE detected_at BETWEEN $1 AND $2',
    [from, to],
  )
  const { first, last } = rows[0]!
  return first === null ? null : [Math.floor(first / DAY), Math.floor(last / DAY)]
}

/**
 * Actors of the events of some facets, each event read once: an actor gets a mark for each day, and actors with the same
 * marks are counted together. Null for a window of too many days.
 *
 * @param set a query for the ids of actors whose status is not active; its parameters are in `statement`
 */
export async function actorsOfFacets(
  db: Queryable,
  window: EventWindow,
  facets: AskedFacets,
  set: string,
  statement: Statement,
): Promise<ActorCounts | null> {
  const span = await daySpan(db, window)
  if (span === null) return { days: [], totals: { severe: 0, active: 0 } }
  const [first, last] = span
  const runs = Math.ceil((last - first + 1) / RUN)
  if (runs > MAX_RUNS) return null
  const { rows } = await db.query<{ groups: number[][] | null }>(
    marksText(window, facets, { first, runs, set }, statement),
    statement.values,
  )
  return addUp(rows[0]!.groups ?? [], first, runs)
}

/** `groups`: lists of a number of actors, those of them that are active, and their marks; see {@link addUp}. */
function marksText(
  { from, to }: EventWindow,
  { fitting, severe }: AskedFacets,
  { first, runs, set }: { first: number; runs: number; set: string },
  statement: Statement,
): string {
  const marks: string[] = []
  for (let run = 0; run < runs; run++) {
    const begin = run * RUN
    const isInside = `day BETWEEN ${begin} AND ${begin + RUN - 1}`
    const mark = (fits: string): string =>
      `bit_or(CASE WHEN ${fits} THEN 1::bigint << (day - ${begin}) ELSE 0 END)`
    marks.push(mark(isInside), mark(`is_severe AND ${isInside}`))
  }
  const names = marks.map((_, i) => `m${i}`)
  // One look into the index of facets after the other (OFFSET keeps it so): a PostgreSQL server would rather read the
  // table with several processes, which takes twice as long and more while it is busy.
  const severeIds = new Set(severe)
  const flags = fitting.map((id) => severeIds.has(id))
  const list = `unnest(${statement.put(fitting)}::integer[], ${statement.put(flags)}::boolean[])`
  const halves = names.flatMap((name) => [`${name} & ${2 ** HALF - 1}`, `${name} >> ${HALF}`])
  return `SELECT json_agg(json_build_array(actors, active, ${halves.join(', ')})) AS groups FROM (
      SELECT ${names.join(', ')}, count(*) AS actors, count(*) FILTER (WHERE actor_id NOT IN (${set})) AS active FROM (
        SELECT actor_id, ${marks.map((text, i) => `${text} AS m${i}`).join(', ')} FROM (
          SELECT e.actor_id, e.day, f.is_severe FROM ${list} AS f (id, is_severe) CROSS JOIN LATERAL (
            SELECT actor_id, detected_at / ${DAY} - ${first} AS day FROM threat_events
            WHERE facet_id = f.id AND detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)} OFFSET 0) e) e
        GROUP BY 1) a
      GROUP BY ${names.join(', ')}) g`
}

/** Adds groups of actors up: behind two numbers, for each run of days two halves of all marks and two of severe ones. */
function addUp(groups: readonly (readonly number[])[], first: number, runs: number): ActorCounts {
  const actors = new Array<number>(runs * RUN).fill(0)
  const severe = new Array<number>(runs * RUN).fill(0)
  const totals = { severe: 0, active: 0 }
  for (const group of groups) {
    const count = group[0]!
    totals.active += group[1]!
    let isSevere = false
    for (let half = 0; half < 2 * runs; half++) {
      const at = 2 + (half >> 1) * 4 + (half & 1)
      const begin = half * HALF
      note(actors, begin, group[at]!, count)
      note(severe, begin, group[at + 2]!, count)
      if (group[at + 2] !== 0) isSevere = true
    }
    if (isSevere) totals.severe += count
  }
  const days = actors
    .map((number, i) => ({ day: first + i, actors: number, severe: severe[i]! }))
    .filter((one) => one.actors > 0)
  return { days, totals }
}

/** Adds a number to the days of 31 that are marked. */
function note(counts: number[], begin: number, marks: number, count: number): void {
  for (let rest = marks, day = begin; rest !== 0; rest >>>= 1, day++)
    if ((rest & 1) !== 0) counts[day]! += count
}
