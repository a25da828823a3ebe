import { type Exchange, writeSampleMessage } from '../../http/index.ts'
import { storable } from '../../kit/index.ts'
import type { Queryable, StoreClient } from '../../store/index.ts'
import type { Evidence } from '../evaluate/hit.ts'
import {
  type EventMessage,
  eventId,
  MAX_EVENT_MESSAGES,
  type NewEvent,
  type RuleFiring,
} from './new-event.ts'

/** Longest body of a message that is kept, in UTF-16 code units. */
const MAX_BODY = 65_536

/** What is known of a message beside its text. */
export interface MessageFacts {
  readonly country: string
  readonly destCountry: string
  readonly evidence: readonly Evidence[]
  /** Parts of the message were not looked at: it is beyond a limit. */
  readonly isTruncated?: boolean
  /** Where a rule fired on the message. */
  readonly firing?: RuleFiring
}

export interface KeptMessage {
  readonly refId: string
  /** Epoch seconds. */
  readonly at: number
  /** Sample message as JSON text. */
  readonly message: string
  readonly facts: MessageFacts
}

/** A message that a window counted, kept until its rule fires or it grows old. */
export interface WaitingMessage extends EventMessage {
  /** UUID; the same message has the same id. */
  readonly id: string
  /** Of the message itself: a rule that counts what an actor does may count it in several collections. */
  readonly collectionId: number
  readonly country: string
  readonly destCountry: string
}

/** Keeps messages of events that were stored. */
export async function keepEventMessages(client: StoreClient, events: readonly NewEvent[]): Promise<void> {
  await keepMessages(
    client,
    events.flatMap((event) =>
      event.messages.slice(0, MAX_EVENT_MESSAGES).map((message, i) => ({
        ...message,
        id: i === 0 ? event.id : eventId(event.id, 'message', String(i)),
        refId: event.refId,
        collectionId: event.collectionId,
        country: event.country,
        destCountry: event.destCountry,
      })),
    ),
  )
}

/** Keeps messages that windows counted under the refIds that their events will have; repeats change nothing. */
export async function keepMessages(
  client: StoreClient,
  messages: readonly (WaitingMessage & { refId: string })[],
): Promise<void> {
  if (messages.length === 0) return
  const evidenceOf = ({ country, destCountry, evidence, isTruncated, firing }: WaitingMessage): string =>
    JSON.stringify({
      country,
      destCountry,
      evidence: evidence.map((one) => ({ ...one, name: storable(one.name), phrase: storable(one.phrase) })),
      ...(isTruncated === true ? { isTruncated } : {}),
      ...(firing === undefined ? {} : { firing: { ...firing, rule: storable(firing.rule) } }),
    })
  await client.query(
    `INSERT INTO threat_messages (id, ref_id, at, message, evidence, collection_id)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::jsonb[], $6::integer[])
     ON CONFLICT DO NOTHING`,
    [
      messages.map(({ id }) => id),
      messages.map(({ refId }) => refId),
      messages.map(({ exchange }) => exchange.at),
      messages.map(({ exchange }) => storable(writeSampleMessage(cut(exchange)))),
      messages.map(evidenceOf),
      messages.map(({ collectionId }) => collectionId),
    ],
  )
}

function cut(exchange: Exchange): Exchange {
  const { request, response } = exchange
  if (request.body.length <= MAX_BODY && response.body.length <= MAX_BODY) return exchange
  return {
    ...exchange,
    request: { ...request, body: request.body.slice(0, MAX_BODY) },
    response: { ...response, body: response.body.slice(0, MAX_BODY) },
  }
}

const COLUMNS = 'ref_id AS "refId", at, message, evidence AS facts'

/** The first message of each event, by the id of the event. */
export async function messagesOfEvents(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, KeptMessage>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<KeptMessage & { id: string }>(
    `SELECT id, ${COLUMNS} FROM threat_messages WHERE id = ANY ($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * The newest messages under any of these refIds that belong to visible collections (null = all). Of messages kept before
 * their collection was, only the first of an event is known to belong where the event does.
 */
export async function messagesOfRefs(
  db: Queryable,
  refIds: readonly string[],
  visible: readonly number[] | null,
): Promise<KeptMessage[]> {
  if (refIds.length === 0) return []
  const { rows } = await db.query<KeptMessage>(
    `SELECT ${COLUMNS} FROM threat_messages m WHERE ref_id = ANY ($1::uuid[]) AND ($3::integer[] IS NULL
       OR coalesce(collection_id, (SELECT f.collection_id FROM threat_events e
         JOIN threat_facets f ON f.id = e.facet_id WHERE e.id = m.id)) = ANY ($3))
     ORDER BY at DESC, id LIMIT $2`,
    [refIds, MAX_EVENT_MESSAGES, visible],
  )
  return rows
}

/** Events whose messages are asked for: by refId, and the newest of an actor and a filter. */
interface AskedRefs {
  readonly refId: string | null
  readonly of: { readonly actor: string; readonly filterId: string } | null
}

/** The refIds asked for, as far as their events may be seen. */
export async function seenRefs(
  db: Queryable,
  visible: readonly number[] | null,
  { refId, of }: AskedRefs,
): Promise<string[]> {
  const seen = 'AND ($1::integer[] IS NULL OR f.collection_id = ANY ($1))'
  const { rows } = await db.query<{ refId: string }>(
    `(SELECT e.ref_id AS "refId" FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
       WHERE e.ref_id = $2::uuid ${seen} LIMIT 1)
     UNION (SELECT e.ref_id FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id
       JOIN threat_kinds k ON k.id = f.kind_id
       WHERE e.actor_id = (SELECT id FROM threat_actors WHERE actor = $3) AND k.filter_id = $4 ${seen}
       ORDER BY e.detected_at DESC LIMIT ${MAX_EVENT_MESSAGES})`,
    [visible, refId, of?.actor ?? null, of?.filterId ?? null],
  )
  return rows.map((row) => row.refId)
}
