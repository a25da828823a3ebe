import { listEvents, messagesOfEvents } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { shownMessages } from '../../shown-messages.ts'
import { requireEndpoint } from '../inventory/require-endpoint.ts'
import { readSkip, readSort } from './read-page.ts'
import { readEventFilter } from './read-selection.ts'
import { wireEvent } from './wire-event.ts'

/** One page of the malicious events. */
export const fetchSuspectSampleData: Handler<'fetchSuspectSampleData'> = async (input, call) => {
  const { app, caller } = call
  const db = app.store.pool
  const { endpoint } = input
  const endpointId = endpoint === null ? null : (await requireEndpoint(endpoint, call)).id
  const filter = { ...readEventFilter(caller, input), endpointId }
  const sorted = readSort(input.sort, ['detectedAt', 'severity'], 'detectedAt')
  const page = {
    ...(input.sortBySeverity ? { sort: 'severity' as const, isAscending: false } : sorted),
    skip: readSkip(input.skip),
    limit: input.limit,
  }
  const source = input.latestApiOrigRegex
  const isUnmasked = input.unmasked
  const shown = await shownMessages(call, {
    operation: 'fetchSuspectSampleData',
    isUnmasked,
    of: source ? 'events by what their messages hold' : 'a page of events',
  })
  const { events, total } = source
    ? await app.testRuns.searchPayloads({ filter, page, source, isUnmasked })
    : await listEvents(db, filter, page)
  const messages = await messagesOfEvents(
    db,
    events.map(({ id }) => id),
  )
  const kept = await shown.events([...messages.values()])
  const byEvent = new Map([...messages.keys()].map((id, at) => [id, kept[at]!]))
  return { maliciousEvents: events.map((event) => wireEvent(event, byEvent.get(event.id))), total }
}
