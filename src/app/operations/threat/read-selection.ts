import { Failure } from '../../../kit/index.ts'
import type { EventFilter } from '../../../threat/index.ts'
import { readWindow } from '../../../threat/index.ts'
import type { Caller } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Filters of events as clients send them. */
interface SentEventFilters {
  readonly urls: readonly string[] | null
  readonly paths?: readonly string[] | null
  readonly types: readonly string[] | null
  readonly startTimestamp: number
  readonly endTimestamp: number
  readonly ips: readonly string[] | null
  readonly apiCollectionIds: readonly number[] | null
  readonly severity: readonly string[] | null
  readonly subCategory: readonly string[] | null
  readonly latestAttack: readonly string[] | null
  readonly method: readonly string[] | null
  readonly hosts: readonly string[] | null
  readonly statusFilter: string | null
  readonly successfulExploit: boolean | null
  readonly label: string | null
  readonly searchText: string | null
}

/**
 * The filter that a client means.
 *
 * @throws Failure COLLECTION_DENIED when a named collection was not granted to the caller
 */
export function readEventFilter(caller: Caller, sent: SentEventFilters): EventFilter {
  for (const id of sent.apiCollectionIds ?? []) if (id !== 0) requireGranted(caller, id)
  return {
    visible: caller.collectionIds,
    window: readWindow(sent.startTimestamp, sent.endTimestamp),
    urls: sent.urls,
    paths: sent.paths ?? null,
    types: sent.types,
    ips: sent.ips,
    collectionIds: sent.apiCollectionIds,
    severities: sent.severity,
    subCategories: sent.subCategory,
    filterIds: sent.latestAttack,
    methods: sent.method,
    hosts: sent.hosts,
    statuses: readStatus(sent.statusFilter),
    isExploit: sent.successfulExploit,
    label: sent.label,
    searchText: sent.searchText,
  }
}

/** EVENTS is another word for ACTIVE; empty means all. */
export function readStatus(status: string | null): string[] | null {
  if (status === null || status === '') return null
  return [status === 'EVENTS' ? 'ACTIVE' : status]
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}

/** @throws Failure FIELD_REQUIRED when a text is empty */
export function requireText(text: string, field: string): string {
  if (text.trim() === '') throw new Failure('FIELD_REQUIRED', { field })
  return text
}
