import { Failure } from '../../../kit/index.ts'
import { type EventSelection, readWindow } from '../../../threat/index.ts'
import type { Caller } from '../../handler.ts'
import { isUuid, readStatus } from './read-selection.ts'

/** Which events a client wants changed. */
interface SentSelection {
  readonly eventId: string | null
  readonly eventIds: readonly string[] | null
  readonly actors: readonly string[] | null
  readonly urls: readonly string[] | null
  readonly types: readonly string[] | null
  readonly latestAttack: readonly string[] | null
  readonly hosts: readonly string[] | null
  readonly statusFilter: string | null
  readonly startTimestamp: number
  readonly endTimestamp: number
}

/**
 * The events that a client means. Nothing given means nothing, not everything.
 *
 * @throws Failure NO_EVENTS_SELECTED
 */
export function readSelection(caller: Caller, sent: SentSelection): EventSelection {
  const visible = caller.collectionIds
  const ids = [...(sent.eventId ? [sent.eventId] : []), ...(sent.eventIds ?? [])]
  if (ids.length > 0) return { ids: ids.filter(isUuid), visible }
  const lists = [sent.actors, sent.urls, sent.types, sent.latestAttack, sent.hosts]
  const isGiven =
    lists.some((list) => (list ?? []).length > 0) ||
    !!sent.statusFilter ||
    sent.startTimestamp > 0 ||
    sent.endTimestamp > 0
  if (!isGiven) throw new Failure('NO_EVENTS_SELECTED', {})
  return {
    filter: {
      visible,
      window: readWindow(sent.startTimestamp, sent.endTimestamp),
      ips: sent.actors,
      urls: sent.urls,
      types: sent.types,
      filterIds: sent.latestAttack,
      hosts: sent.hosts,
      statuses: readStatus(sent.statusFilter),
    },
  }
}

/** `1 event`, `3 events`. */
export function eventsText(count: number): string {
  return count === 1 ? '1 event' : `${count} events`
}
