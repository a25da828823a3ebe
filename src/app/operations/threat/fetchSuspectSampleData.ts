import { listEvents, messagesOfEvents, searchPayloads } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readEventLimit, readSkip, readSort } from './read-page.ts'
import { readEventFilter } from './read-selection.ts'
import { wireEvent } from './wire-event.ts'

/** One page of the malicious events. */
export const fetchSuspectSampleData: Handler<'fetchSuspectSampleData'> = async (input, { app, caller }) => {
  const db = app.store.pool
  const filter = readEventFilter(caller, input)
  const sorted = readSort(input.sort, ['detectedAt', 'severity'], 'detectedAt')
  const page = {
    ...(input.sortBySeverity ? { sort: 'severity' as const, isAscending: false } : sorted),
    skip: readSkip(input.skip),
    limit: readEventLimit(input.limit),
  }
  const { events, total } = input.latestApiOrigRegex
    ? await searchPayloads(db, filter, page, input.latestApiOrigRegex)
    : await listEvents(db, filter, page)
  const messages = await messagesOfEvents(
    db,
    events.map(({ id }) => id),
  )
  return { maliciousEvents: events.map((event) => wireEvent(event, messages.get(event.id))), total }
}
