import { createHash } from 'node:crypto'
import { nowSeconds } from '../../kit/index.ts'
import { lockTransaction, type StoreClient } from '../../store/index.ts'
import { actorText, apiPath, eventUrl, hostText, methodText, wordText } from './event-text.ts'
import { keepEventMessages } from './messages.ts'
import type { NewEvent, StoredEvents } from './new-event.ts'
import { findSuppressions, noteDropped } from './suppressions.ts'

const UNIT = '\x1f'

/** Worst first in lists; 0 for none. */
const SEVERITY_RANKS = { CRITICAL: 4, HIGH: 3, MEDIUM: 2, LOW: 1, '': 0 } as const

/** Rank of a severity: 4 for CRITICAL to 1 for LOW, 0 for none. */
function severityRank(severity: NewEvent['severity']): number {
  return SEVERITY_RANKS[severity]
}

/**
 * Stores events in the caller's transaction, with all figures that lists and charts read: those whose id is there are
 * passed over, those that a suppression is for are dropped and counted. Writers of all processes take turns from here
 * to the end of their transaction, so call it last and once.
 */
export async function storeEvents(
  client: StoreClient,
  events: readonly NewEvent[],
  now = nowSeconds(),
): Promise<StoredEvents> {
  if (events.length === 0) return { stored: [], repeated: 0, suppressed: 0 }
  await takeTurn(client)
  const distinct = [...new Map(events.map((event) => [event.id, cleaned(event)])).values()]
  const rules = await findSuppressions(client, distinct, now)
  const kept = distinct.filter((_, i) => rules[i] === null)
  await noteDropped(
    client,
    rules.filter((id) => id !== null),
    now,
  )
  const stored = kept.length === 0 ? [] : await insertEvents(client, kept, now)
  const suppressed = distinct.length - kept.length
  return { stored, repeated: events.length - suppressed - stored.length, suppressed }
}

/** Waits until no other transaction writes events; for everything that changes them. */
export async function takeTurn(client: StoreClient): Promise<void> {
  await lockTransaction(client, 'threatEvents')
}

function cleaned(event: NewEvent): NewEvent {
  return {
    ...event,
    filterId: wordText(event.filterId),
    category: wordText(event.category),
    subCategory: wordText(event.subCategory),
    actor: actorText(event.actor),
    host: hostText(event.host),
    method: methodText(event.method),
    url: eventUrl(event.url),
  }
}

async function insertEvents(
  client: StoreClient,
  events: readonly NewEvent[],
  now: number,
): Promise<NewEvent[]> {
  const rows = JSON.stringify(events.map(rowOf))
  await client.query(
    `INSERT INTO threat_kinds (filter_id, category, sub_category, severity, severity_rank, type, event_type, label,
       status, is_exploit)
     SELECT DISTINCT filter_id, category, sub_category, severity, severity_rank, type, event_type, label, status,
       is_exploit
     FROM json_to_recordset($1) AS e (filter_id text, category text, sub_category text, severity text,
       severity_rank smallint, type text, event_type text, label text, status text, is_exploit boolean, kind text)
     WHERE NOT EXISTS (SELECT FROM threat_kinds k WHERE k.digest = e.kind) ON CONFLICT (digest) DO NOTHING`,
    [rows],
  )
  await client.query(
    `INSERT INTO threat_facets (kind_id, collection_id, host, method)
     SELECT DISTINCT k.id, e.collection_id, e.host, e.method
     FROM json_to_recordset($1) AS e (kind text, collection_id integer, host text, method text)
     JOIN threat_kinds k ON k.digest = e.kind
     WHERE NOT EXISTS (SELECT FROM threat_facets f WHERE f.kind_id = k.id AND f.collection_id = e.collection_id
       AND f.host = e.host AND f.method = e.method)
     ON CONFLICT (kind_id, collection_id, host, method) DO NOTHING`,
    [rows],
  )
  await client.query(
    `INSERT INTO threat_actors (actor) SELECT DISTINCT actor FROM json_to_recordset($1) AS e (actor text)
     WHERE NOT EXISTS (SELECT FROM threat_actors a WHERE a.actor = e.actor) ON CONFLICT (actor) DO NOTHING`,
    [rows],
  )
  await client.query(
    `INSERT INTO threat_apis (path, method, host) SELECT DISTINCT path, method, host
     FROM json_to_recordset($1) AS e (path text, method text, host text, api text)
     WHERE NOT EXISTS (SELECT FROM threat_apis p WHERE p.digest = e.api) ON CONFLICT (digest) DO NOTHING`,
    [rows],
  )
  // An id is unique among all partitions, because writers take turns; the key of the table contains the time.
  const { rows: inserted } = await client.query<{ id: string }>(
    `INSERT INTO threat_events (id, ref_id, detected_at, facet_id, actor_id, api_id, ip, country, dest_country, url,
       stored_at)
     SELECT e.id, e.ref_id, e.detected_at, f.id, a.id, p.id, e.ip, e.country, e.dest_country, e.url, $2
     FROM json_to_recordset($1) AS e (id uuid, ref_id uuid, detected_at integer, kind text, collection_id integer,
       host text, method text, actor text, api text, ip text, country text, dest_country text, url text)
     JOIN threat_kinds k ON k.digest = e.kind
     JOIN threat_facets f ON f.kind_id = k.id AND f.collection_id = e.collection_id AND f.host = e.host
       AND f.method = e.method
     JOIN threat_actors a ON a.actor = e.actor
     JOIN threat_apis p ON p.digest = e.api
     WHERE NOT EXISTS (SELECT FROM threat_events x WHERE x.id = e.id)
     ON CONFLICT DO NOTHING RETURNING id`,
    [rows, now],
  )
  const ids = new Set(inserted.map(({ id }) => id))
  const stored = events.filter(({ id }) => ids.has(id))
  await keepEventMessages(client, stored)
  return stored
}

function rowOf(event: NewEvent): Record<string, unknown> {
  const path = apiPath(event.url)
  const severity_rank = severityRank(event.severity)
  return {
    id: event.id,
    ref_id: event.refId,
    detected_at: event.detectedAt,
    filter_id: event.filterId,
    category: event.category,
    sub_category: event.subCategory,
    severity: event.severity,
    severity_rank,
    type: event.type,
    event_type: event.eventType,
    label: event.label,
    status: event.status,
    is_exploit: event.isSuccessfulExploit,
    collection_id: event.collectionId,
    host: event.host,
    method: event.method,
    kind: digestOf([
      event.filterId,
      event.category,
      event.subCategory,
      event.severity,
      event.type,
      event.eventType,
      event.label,
      event.status,
      String(event.isSuccessfulExploit),
    ]),
    actor: event.actor,
    ip: event.ip === event.actor ? '' : event.ip,
    country: event.country,
    dest_country: event.destCountry,
    url: event.url,
    path,
    api: digestOf([event.method, event.host, path]),
  }
}

/** The digest that the store computes of the same columns, for its unique indexes; no secret, only a short key. */
function digestOf(parts: readonly string[]): string {
  return createHash('md5').update(parts.join(UNIT)).digest('hex')
}
