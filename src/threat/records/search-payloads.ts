import { RE2JS } from 're2js'
import { Failure } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import type { EventFilter } from './event-filter.ts'
import { type EventList, type EventPage, type EventView, listEvents } from './list-events.ts'

/** Events whose messages are searched, the first in the order of the list. */
export const MAX_SEARCHED = 2_000
/** Messages read at one time, and time after which no more are. */
const CHUNK = 200
const MAX_SEARCH_MS = 2_000
const MAX_PATTERN = 1_000

/**
 * Events whose message a pattern is found in, among the first {@link MAX_SEARCHED} that fit the filter. The total
 * counts those found.
 *
 * @param source RE2 syntax
 * @throws Failure INVALID_REGEX
 */
export async function searchPayloads(
  db: Queryable,
  filter: EventFilter,
  page: EventPage,
  source: string,
): Promise<EventList> {
  const pattern = readPattern(source)
  const until = performance.now() + MAX_SEARCH_MS
  const found: EventView[] = []
  for (let skip = 0; skip < MAX_SEARCHED && performance.now() < until; skip += CHUNK) {
    const { events } = await listEvents(db, filter, { ...page, skip, limit: CHUNK })
    const texts = await messagesOf(db, events)
    found.push(...events.filter(({ id }) => pattern.matcher(texts.get(id) ?? '').find()))
    if (events.length < CHUNK) break
  }
  return { events: found.slice(page.skip, page.skip + page.limit), total: found.length }
}

function readPattern(source: string): RE2JS {
  if (source.length > MAX_PATTERN) throw new Failure('INVALID_REGEX', { reason: 'it is too long' })
  try {
    return RE2JS.compile(source)
  } catch (error) {
    throw new Failure('INVALID_REGEX', { reason: (error as Error).message }, { cause: error })
  }
}

/** Texts of messages as people read them: the parts of the sample message, one a line. */
async function messagesOf(db: Queryable, events: readonly EventView[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; message: string }>(
    'SELECT id, message FROM threat_messages WHERE id = ANY ($1::uuid[])',
    [events.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, message }) => [id, Object.values(JSON.parse(message) as object).join('\n')]))
}
