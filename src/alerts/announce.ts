import { newHexId, nowSeconds } from '../kit/index.ts'
import type { IssueSeverity, StoreClient } from '../store/index.ts'
import { type ActorStatusSet, type RunFinished, severityOrder } from './alert.ts'
import { type ListeningChannel, listeningChannels, OWNER_SEES } from './channel-store.ts'

/** New issues of one execution are gathered for so long: one message instead of many. */
const GATHER_SECONDS = 300

/** What a run asks for beside what channels are notified of anyway. */
export interface RunWishes {
  readonly sendsSlack: boolean
  /** Which Slack channel; 0 for the first. */
  readonly slackChannelId: number
  /** To every Teams channel. */
  readonly sendsTeams: boolean
  /** Collections that the run aims at: channels whose owners may not see one of them are not told. */
  readonly collectionIds: readonly number[]
}

/**
 * Writes the messages about an execution that ended, in the transaction that ends it: the store gets either both
 * or neither. New issues that are still gathered go out now.
 */
export async function announceRun(
  client: StoreClient,
  facts: RunFinished,
  wishes: RunWishes,
  now = nowSeconds(),
): Promise<void> {
  const listening = await listeningChannels(client, 'RUN_FINISHED')
  const { rows: wished } = await client.query<Pick<ListeningChannel, 'id' | 'visible'>>(
    `SELECT c.id, ${OWNER_SEES} AS visible FROM alert_channels c WHERE
       $1 AND c.id = (SELECT s.id FROM alert_channels s WHERE s.kind = 'SLACK' ORDER BY s.id = $2 DESC, s.id LIMIT 1)
       OR $3 AND c.kind = 'TEAMS' ORDER BY c.id FOR KEY SHARE OF c`,
    [wishes.sendsSlack, wishes.slackChannelId, wishes.sendsTeams],
  )
  const told = [...listening, ...wished].filter(({ visible }) => seesAll(visible, wishes.collectionIds))
  const channels = [...new Set(told.map(({ id }) => id))].sort((a, b) => a - b)
  await client.query(
    `INSERT INTO outgoing_messages (message_id, kind, channel_id, summary_id, facts, state, next_at, created_at)
     SELECT d.message_id, 'ALERT', d.channel_id, $3, $4::jsonb, 'WAITING', $5, $5
     FROM unnest($1::text[], $2::integer[]) AS d (message_id, channel_id)`,
    [channels.map(() => newHexId(now)), channels, facts.summaryId, JSON.stringify(facts), now],
  )
  await client.query(
    `UPDATE outgoing_messages SET next_at = least(next_at, $2) WHERE summary_id = $1 AND state = 'GATHERING'`,
    [facts.summaryId, now],
  )
}

/** An issue that an execution found for the first time, or again. */
interface FoundIssue {
  readonly issueId: number
  readonly severity: IssueSeverity
}

/** Notes new issues for the channels that hear of them, in the transaction that makes them. */
export async function announceIssues(
  client: StoreClient,
  run: { readonly id: string; readonly name: string; readonly summaryId: string },
  issues: readonly FoundIssue[],
  now = nowSeconds(),
): Promise<void> {
  if (issues.length === 0) return
  const channels = await listeningChannels(client, 'NEW_ISSUES')
  const places = channels.some(({ visible }) => visible !== null) ? await placesOf(client, issues) : new Map()
  for (const { id, leastSeverity, visible } of channels) {
    const told = issues.filter(
      ({ issueId, severity }) =>
        isAtLeast(severity, leastSeverity) &&
        (visible === null || visible.includes(places.get(issueId) ?? -1)),
    )
    if (told.length === 0) continue
    await client.query(
      `INSERT INTO outgoing_messages (message_id, kind, channel_id, summary_id, facts, issue_ids, state, next_at, created_at)
       VALUES ($1, 'ALERT', $2, $3, $4::jsonb, $5, 'GATHERING', $6, $7)
       ON CONFLICT (channel_id, summary_id) WHERE state = 'GATHERING'
         DO UPDATE SET issue_ids = outgoing_messages.issue_ids || excluded.issue_ids`,
      [
        newHexId(now),
        id,
        run.summaryId,
        JSON.stringify({ event: 'NEW_ISSUES', runId: run.id, summaryId: run.summaryId, runName: run.name }),
        told.map(({ issueId }) => issueId),
        now + GATHER_SECONDS,
        now,
      ],
    )
  }
}

/** Whether somebody who may see some collections may see all of others. */
function seesAll(visible: readonly number[] | null, collectionIds: readonly number[]): boolean {
  return visible === null || collectionIds.every((id) => visible.includes(id))
}

/** The collections of issues, by issue. */
async function placesOf(client: StoreClient, issues: readonly FoundIssue[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; place: number }>(
    'SELECT id, collection_id AS place FROM issues WHERE id = ANY ($1::bigint[])',
    [issues.map(({ issueId }) => issueId)],
  )
  return new Map(rows.map(({ id, place }) => [id, place]))
}

/** A malicious event that was stored. */
interface FoundThreat {
  readonly eventId: string
  /** 0: none that is known. */
  readonly collectionId: number
  readonly severity: IssueSeverity
}

/** Stands for the execution in messages that gather events: there is one at a time for each channel. */
const THREATS = 'threats'
/** Events that a message remembers; it names the worst of these. */
const MAX_REMEMBERED = 100
const MAX_ADDED = 20

/** Notes new malicious events for the channels that hear of them, in the transaction that stores them. */
export async function announceThreats(
  client: StoreClient,
  threats: readonly FoundThreat[],
  now = nowSeconds(),
): Promise<void> {
  if (threats.length === 0) return
  for (const { id, leastSeverity, visible } of await listeningChannels(client, 'NEW_THREATS')) {
    const told = threats
      .filter(
        ({ severity, collectionId }) =>
          isAtLeast(severity, leastSeverity) && seesAll(visible, [collectionId]),
      )
      .sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity))
    if (told.length === 0) continue
    const counts = Object.fromEntries(
      severityOrder.map((one) => [one, told.filter(({ severity }) => severity === one).length]),
    )
    const eventIds = told.slice(0, MAX_ADDED).map(({ eventId }) => eventId)
    const sums = severityOrder
      .map(
        (one) =>
          `'${one}', (m.facts #>> '{counts,${one}}')::integer + (excluded.facts #>> '{counts,${one}}')::integer`,
      )
      .join(', ')
    await client.query(
      `INSERT INTO outgoing_messages AS m (message_id, kind, channel_id, summary_id, facts, state, next_at, created_at)
       VALUES ($1, 'ALERT', $2, '${THREATS}', $3::jsonb, 'GATHERING', $4, $5)
       ON CONFLICT (channel_id, summary_id) WHERE state = 'GATHERING' DO UPDATE SET facts = jsonb_build_object(
         'event', 'NEW_THREATS', 'counts', jsonb_build_object(${sums}),
         'eventIds', CASE WHEN jsonb_array_length(m.facts -> 'eventIds') >= ${MAX_REMEMBERED} THEN m.facts -> 'eventIds'
           ELSE (m.facts -> 'eventIds') || (excluded.facts -> 'eventIds') END)`,
      [
        newHexId(now),
        id,
        JSON.stringify({ event: 'NEW_THREATS', counts, eventIds }),
        now + GATHER_SECONDS,
        now,
      ],
    )
  }
}

/**
 * Writes messages about a status of actors, in the transaction that sets it: for channels whose owners may see all
 * collections, as the status counts in all.
 */
export async function announceActorStatus(
  client: StoreClient,
  facts: ActorStatusSet,
  now = nowSeconds(),
): Promise<void> {
  for (const { id, visible } of await listeningChannels(client, 'ACTOR_STATUS')) {
    if (visible !== null) continue
    await client.query(
      `INSERT INTO outgoing_messages (message_id, kind, channel_id, facts, state, next_at, created_at)
       VALUES ($1, 'ALERT', $2, $3::jsonb, 'WAITING', $4, $4)`,
      [newHexId(now), id, JSON.stringify(facts), now],
    )
  }
}

/** Whether a severity is as bad as another, or worse. */
function isAtLeast(severity: IssueSeverity, least: IssueSeverity): boolean {
  return severityOrder.indexOf(severity) <= severityOrder.indexOf(least)
}

/** A ticket to be made of an issue. */
export interface TicketOrder {
  /** `owner/repository` of GitHub, or the key of a Jira project. */
  readonly projectId: string
  readonly issueType: string
  /** Login of who asked; null: a run did. */
  readonly actor: string | null
}

/**
 * Orders tickets for issues, in the caller's transaction: one for all places of a cause. Causes that have a ticket, or
 * whose ticket is under way, are passed over; @returns the issues whose ticket was ordered now.
 */
export async function orderTickets(
  client: StoreClient,
  order: TicketOrder,
  issueIds: readonly number[],
  now = nowSeconds(),
): Promise<number[]> {
  if (issueIds.length === 0) return []
  const ids = [...new Set(issueIds)].sort((a, b) => a - b)
  const { rows } = await client.query<{ issueId: number }>(
    `INSERT INTO outgoing_messages (message_id, kind, issue_id, facts, state, next_at, created_at)
     SELECT c.message_id, 'TICKET', c.id, $3::jsonb, 'WAITING', $4, $4
     FROM (SELECT DISTINCT ON (i.cause_key) i.cause_key, i.id, d.message_id
           FROM unnest($1::text[], $2::bigint[]) AS d (message_id, issue_id) JOIN issues i ON i.id = d.issue_id
           ORDER BY i.cause_key, i.severity_rank DESC, i.id) c
     WHERE NOT EXISTS (
       SELECT FROM issues o LEFT JOIN outgoing_messages m
         ON m.issue_id = o.id AND m.kind = 'TICKET' AND m.state = 'WAITING'
       WHERE o.cause_key = c.cause_key AND (o.ticket_id IS NOT NULL OR m.issue_id IS NOT NULL))
     ORDER BY c.id
     ON CONFLICT (issue_id) WHERE kind = 'TICKET' AND state = 'WAITING' DO NOTHING
     RETURNING issue_id AS "issueId"`,
    [ids.map(() => newHexId(now)), ids, JSON.stringify(order), now],
  )
  return rows.map((row) => row.issueId)
}
