import { cutWindow, type EventWindow, isOpen } from './event-window.ts'
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

/** Pairs `m` of endpoint and actor with an event in the window. Those that reach over both ends are looked up. */
export function pairCondition(window: EventWindow, statement: Statement): string {
  const start = statement.put(window.from)
  if (isOpen(window)) return `m.last_seen >= ${start}`
  const end = statement.put(window.to)
  return `m.last_seen >= ${start} AND m.first_seen <= ${end} AND (m.last_seen <= ${end} OR m.first_seen >= ${start}
    OR EXISTS (SELECT FROM threat_events e WHERE e.actor_id = m.actor_id AND e.api_id = m.api_id
      AND e.detected_at BETWEEN ${start} AND ${end}))`
}
