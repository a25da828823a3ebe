import { Failure } from '../../kit/index.ts'
import { compilePattern, type Pattern } from '../../rules/index.ts'
import type { Queryable } from '../../store/index.ts'
import type { EventFilter } from './event-filter.ts'
import { type EventList, type EventPage, type EventView, listEvents } from './list-events.ts'

/** Events whose messages are searched, the first in the order of the list. */
const MAX_SEARCHED = 2_000
/** Messages read at one time, and time after which reading stops. */
const CHUNK = 200
const MAX_SEARCH_MS = 2_000
const MAX_PATTERN = 1_000

/** What is searched for, and in what. */
interface PayloadSearch {
  /** In RE2 syntax. */
  readonly source: string
  /** Gives the message as the caller sees it: what is masked there cannot be found. */
  readonly shown: (message: string) => string
}

/**
 * Events whose message a pattern is found in, among the first {@link MAX_SEARCHED} that fit the filter. The total
 * counts those found.
 *
 * @throws Failure INVALID_REGEX, PATTERN_OVER_BUDGET
 */
export async function searchPayloads(
  db: Queryable,
  filter: EventFilter,
  page: EventPage,
  { source, shown }: PayloadSearch,
): Promise<EventList> {
  const pattern = readPattern(source)
  const until = performance.now() + MAX_SEARCH_MS
  const found: EventView[] = []
  for (let skip = 0; skip < MAX_SEARCHED && performance.now() < until; skip += CHUNK) {
    const { events } = await listEvents(db, filter, { ...page, skip, limit: CHUNK })
    const texts = await messagesOf(db, events)
    found.push(...events.filter(({ id }) => pattern.test(textOf(texts.get(id), shown))))
    if (events.length < CHUNK) break
  }
  return { events: found.slice(page.skip, page.skip + page.limit), total: found.length }
}

function readPattern(source: string): Pattern {
  if (source.length > MAX_PATTERN) throw new Failure('INVALID_REGEX', { reason: 'it is too long' })
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Failure('INVALID_REGEX', { reason: pattern })
  return pattern
}

/** The text of a message as people read it: the parts of the sample message, one a line. */
function textOf(message: string | undefined, shown: PayloadSearch['shown']): string {
  if (message === undefined) return ''
  return Object.values(JSON.parse(shown(message)) as object).join('\n')
}

async function messagesOf(db: Queryable, events: readonly EventView[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; message: string }>(
    'SELECT id, message FROM threat_messages WHERE id = ANY ($1::uuid[])',
    [events.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, message }) => [id, message]))
}
