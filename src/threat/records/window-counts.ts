import { cutWindow, DAY, type EventWindow, isOpen } from './event-window.ts'
import type { Statement } from './statement.ts'

/** Events by endpoint (`api_id`, `events`) in a window, from counts of days and the events of the rest. */
export function apiEventsWithin(window: EventWindow, statement: Statement): string {
  const { days, seconds } = cutWindow(window, false)
  const parts = [
    'SELECT 0 AS api_id, 0 AS events WHERE FALSE',
    ...days.map(
      ([from, to]) => `SELECT api_id, events FROM threat_api_days
        WHERE day BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
    ...seconds.map(
      ([from, to]) => `SELECT api_id, 1 FROM threat_events
        WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(to)}`,
    ),
  ]
  return `SELECT api_id, sum(events)::integer AS events FROM (${parts.join(' UNION ALL ')}) d GROUP BY 1`
}

/** Events and distinct actors by endpoint (`api_id`, `events`, `actors`) in a window. */
export function apiFiguresWithin(window: EventWindow, statement: Statement): string {
  return isOpen(window) ? apiFiguresSince(window.from, statement) : apiFiguresOf(window, statement)
}

/**
 * From figures of days: each pair of endpoint and actor counts on the day of its latest event. Pairs of the day that is
 * cut are found by their times: looking up those of its events one by one takes several times as long.
 */
function apiFiguresSince(from: number, statement: Statement): string {
  const day = Math.floor(from / DAY)
  const isWhole = from === day * DAY
  const firstWhole = isWhole ? day : day + 1
  // Figures of days are added up on their own: they are many, and what is beside them is little.
  const parts = [
    `SELECT api_id, sum(events) AS events, sum(last_actors) AS actors FROM threat_api_days
      WHERE day >= ${statement.put(firstWhole)} GROUP BY 1`,
  ]
  if (!isWhole) {
    const rest = `BETWEEN ${statement.put(from)} AND ${statement.put(firstWhole * DAY - 1)}`
    parts.push(
      `SELECT api_id, count(*), 0 FROM threat_events WHERE detected_at ${rest} GROUP BY 1`,
      `SELECT api_id, 0, count(*) FROM threat_api_actors WHERE last_seen ${rest} GROUP BY 1`,
    )
  }
  return `SELECT api_id, sum(events)::integer AS events, sum(actors)::integer AS actors
    FROM (${parts.join(' UNION ALL ')}) d GROUP BY 1 HAVING sum(events) > 0`
}

/**
 * From the events themselves: no figure tells whether a pair of endpoint and actor that was seen before and after a window
 * was seen within it.
 *
 * @param among SQL of a condition on events
 */
export function apiFiguresOf(window: EventWindow, statement: Statement, among = 'TRUE'): string {
  return `SELECT api_id, count(*)::integer AS events, count(DISTINCT actor_id)::integer AS actors FROM threat_events
    WHERE detected_at BETWEEN ${statement.put(window.from)} AND ${statement.put(window.to)} AND ${among} GROUP BY 1`
}
