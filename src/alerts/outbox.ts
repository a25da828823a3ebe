import { nowSeconds } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { ActorStatusSet, NewIssues, NewThreats, RunFinished } from './alert.ts'
import type { TicketOrder } from './announce.ts'

/** A process that took a message and fell silent for so long is taken for dead; longer than any attempt lasts. */
const LEASE_SECONDS = 60
/** Days for which messages that ended are kept. */
const KEPT_DAYS = 30
const DAY_SECONDS = 86_400
const MAX_PROBLEM = 500

/** Facts of new issues as they are stored: the issues themselves are in {@link ClaimedMessage.issueIds}. */
export type NewIssuesNote = Omit<NewIssues, 'counts' | 'issues'>

/** Facts of malicious events as they are stored: the events themselves are asked for by their ids. */
type NewThreatsNote = Omit<NewThreats, 'threats'> & { readonly eventIds: readonly string[] }

/** A message that this process has taken. */
export type ClaimedMessage = {
  readonly id: number
  readonly messageId: string
  /** Attempts, this one included. */
  readonly attempts: number
  readonly createdAt: number
  readonly issueIds: readonly number[]
} & (
  | {
      readonly kind: 'ALERT'
      readonly channelId: number
      readonly facts: RunFinished | NewIssuesNote | NewThreatsNote | ActorStatusSet
    }
  | { readonly kind: 'TICKET'; readonly issueId: number; readonly facts: TicketOrder }
)

/** Takes messages whose time has come; two processes never take the same. */
export async function claimMessages(
  store: Store,
  limit: number,
  now = nowSeconds(),
): Promise<ClaimedMessage[]> {
  const { rows } = await store.pool.query<ClaimedMessage>(
    `UPDATE outgoing_messages SET state = 'WAITING', attempts = attempts + 1, lease_until = $1 WHERE id IN (
       SELECT id FROM outgoing_messages
       WHERE state IN ('WAITING', 'GATHERING') AND next_at <= $2 AND lease_until <= $2
       ORDER BY next_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, message_id AS "messageId", kind, attempts, created_at AS "createdAt",
       coalesce(issue_ids, '{}') AS "issueIds", channel_id AS "channelId", issue_id AS "issueId", facts`,
    [now + LEASE_SECONDS, now, limit],
  )
  return rows
}

/** How an attempt ended: delivered; to be tried again at a moment; or given up. */
export type AttemptEnd =
  | { readonly state: 'DONE' }
  | { readonly state: 'WAITING'; readonly nextAt: number; readonly problem: string }
  | { readonly state: 'FAILED'; readonly problem: string }

/** Notes how an attempt ended. */
export async function settleMessage(
  store: Store,
  id: number,
  end: AttemptEnd,
  now = nowSeconds(),
): Promise<void> {
  await store.pool.query(
    `UPDATE outgoing_messages SET state = $2, lease_until = 0, next_at = coalesce($3, next_at), problem = $4,
       ended_at = CASE WHEN $2 = 'WAITING' THEN 0 ELSE $5 END WHERE id = $1`,
    [
      id,
      end.state,
      end.state === 'WAITING' ? end.nextAt : null,
      end.state === 'DONE' ? null : end.problem.slice(0, MAX_PROBLEM),
      now,
    ],
  )
}

/** Gives messages back untried, as at a shutdown. */
export async function releaseMessage(store: Store, id: number): Promise<void> {
  await store.pool.query(
    `UPDATE outgoing_messages SET lease_until = 0, attempts = greatest(attempts - 1, 0)
     WHERE id = $1 AND state = 'WAITING'`,
    [id],
  )
}

/** Removes messages that ended long ago; @returns how many. */
export async function removeOldMessages(store: Store, now = nowSeconds()): Promise<number> {
  const { rowCount } = await store.pool.query(
    `DELETE FROM outgoing_messages WHERE state IN ('DONE', 'FAILED') AND ended_at < $1`,
    [now - KEPT_DAYS * DAY_SECONDS],
  )
  return rowCount ?? 0
}

/** A message as lists show it. */
export interface MessageView {
  messageId: string
  kind: 'ALERT' | 'TICKET'
  channelId: number | null
  channelName: string | null
  event: string
  state: 'GATHERING' | 'WAITING' | 'DONE' | 'FAILED'
  attempts: number
  nextAt: number
  problem: string | null
  createdAt: number
  /** 0 before its end. */
  endedAt: number
}

/** Who asks for messages: null for somebody who may see all, else the login and the collections. */
type MessageReader = { readonly login: string; readonly visible: readonly number[] } | null

/** The newest messages: those to channels of the reader, and tickets of issues that the reader may see. */
export async function listMessages(
  store: Store,
  limit: number,
  reader: MessageReader,
): Promise<MessageView[]> {
  const { rows } = await store.pool.query<MessageView>(
    `SELECT m.message_id AS "messageId", m.kind, m.channel_id AS "channelId", c.name AS "channelName",
       coalesce(m.facts ->> 'event', 'TICKET') AS event, m.state, m.attempts, m.next_at AS "nextAt", m.problem,
       m.created_at AS "createdAt", m.ended_at AS "endedAt"
     FROM outgoing_messages m LEFT JOIN alert_channels c ON c.id = m.channel_id
       LEFT JOIN issues i ON i.id = m.issue_id
     WHERE $2::text IS NULL OR c.user_login = $2 OR i.collection_id = ANY ($3::integer[])
     ORDER BY m.id DESC LIMIT $1`,
    [limit, reader?.login ?? null, reader?.visible ?? null],
  )
  return rows
}
