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

/**
 * Events and distinct actors by endpoint (`api_id`, `events`, `actors`) from a time on, from figures of days: each pair
 * of endpoint and actor counts on the day of its latest event. Of the day that is cut the smaller part is looked up.
 */
export function apiFiguresSince(from: number, statement: Statement): string {
  const day = Math.floor(from / DAY)
  const middle = day * DAY + DAY / 2
  const isWhole = from === day * DAY
  const firstWhole = isWhole ? day : day + 1
  // Figures of days are added up on their own: they are many, and what is beside them is little.
  const parts = [
    `SELECT api_id, sum(events) AS events, sum(last_actors) AS actors FROM threat_api_days
      WHERE day >= ${statement.put(firstWhole)} GROUP BY 1`,
  ]
  if (!isWhole)
    parts.push(
      `SELECT api_id, count(*), 0 FROM threat_events
        WHERE detected_at BETWEEN ${statement.put(from)} AND ${statement.put(firstWhole * DAY - 1)} GROUP BY 1`,
    )
  if (!isWhole && from < middle)
    parts.push(
      `SELECT api_id, 0, last_actors FROM threat_api_days WHERE day = ${statement.put(day)}`,
      `SELECT api_id, 0, -1 FROM (${pairsLastSeen(day * DAY, from - 1, statement)}) l`,
    )
  else if (!isWhole)
    parts.push(`SELECT api_id, 0, 1 FROM (${pairsLastSeen(from, firstWhole * DAY - 1, statement)}) l`)
  return `SELECT api_id, sum(events)::integer AS events, sum(actors)::integer AS actors
    FROM (${parts.join(' UNION ALL ')}) d GROUP BY 1 HAVING sum(events) > 0`
}

/** Pairs whose latest event is in a short span: found by their events, each looked up by its key. */
function pairsLastSeen(from: number, to: number, statement: Statement): string {
  const start = statement.put(from)
  const end = statement.put(to)
  return `SELECT e.api_id FROM (
      SELECT DISTINCT api_id, actor_id FROM threat_events WHERE detected_at BETWEEN ${start} AND ${end}) e
    WHERE (SELECT m.last_seen FROM threat_api_actors m WHERE m.api_id = e.api_id AND m.actor_id = e.actor_id) <= ${end}`
}

/** Pairs `m` of endpoint and actor with an event in the window. Those that reach over both ends are looked up. */
export function pairCondition(window: EventWindow, statement: Statement): string {
  const start = statement.put(window.from)
  if (isOpen(window)) return `m.last_seen >= ${start}`
  const end = statement.put(window.to)
  return `m.last_seen >= ${start} AND m.first_seen <= ${end} AND (m.last_seen <= ${end} OR m.first_seen >= ${start}
    OR EXISTS (SELECT FROM threat_events e WHERE e.actor_id = m.actor_id AND e.api_id = m.api_id
      AND e.detected_at BETWEEN ${start} AND ${end}))`
}
