import { createHash } from 'node:crypto'
import { nowSeconds, type Sealer } from '../kit/index.ts'
import {
  type IssueSeverity,
  lockTransaction,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../store/index.ts'
import type { AlertEvent } from './alert.ts'
import type { ChannelKind, ChannelSecrets } from './channel.ts'

/** A channel without what is secret of it. */
interface ChannelView {
  id: number
  kind: ChannelKind['kind']
  name: string
  userLogin: string
  createdAt: number
  /** What it is notified of, regardless of what a run asks for. */
  events: AlertEvent[]
  /** New issues below it are not told. */
  leastSeverity: IssueSeverity
  /** Of the newest message that was delivered; 0 before. */
  deliveredAt: number
  /** Why the newest message failed or waits; null when it went well. */
  problem: string | null
  /** Collections that its owner may see now; null = all. It is notified of nothing else. */
  visible: readonly number[] | null
}

/** A channel with what is secret of it. */
export type OpenChannel = ChannelView & ChannelSecrets

/** A channel to be made. */
interface NewChannel extends ChannelSecrets {
  readonly kind: ChannelKind['kind']
  readonly name: string
  readonly userLogin: string
  readonly events: readonly AlertEvent[]
  readonly leastSeverity: IssueSeverity
}

/** What the owner of a channel may see now: null for everything, nothing for one without an account. */
export const OWNER_SEES = `(SELECT CASE WHEN count(*) = 0 THEN '{}'::integer[] WHEN bool_or(u.role = 'ADMIN') THEN NULL
  ELSE max(u.collection_ids) END FROM users u WHERE u.login = c.user_login)`

const COLUMNS = `c.id, c.kind, c.name, c.user_login AS "userLogin", c.created_at AS "createdAt", c.events,
  c.least_severity AS "leastSeverity",
  coalesce((SELECT max(m.ended_at) FROM outgoing_messages m WHERE m.channel_id = c.id AND m.state = 'DONE'), 0)
    AS "deliveredAt",
  (SELECT m.problem FROM outgoing_messages m WHERE m.channel_id = c.id AND m.attempts > 0 ORDER BY m.id DESC LIMIT 1)
    AS problem, ${OWNER_SEES} AS visible`

interface SealedRow extends ChannelView {
  sealed_url: string
  sealed_headers: string | null
}

/** Purpose under which the secrets of a channel are sealed. */
function purposeOf(id: number): string {
  return `alert-channel:${id}`
}

/** Channels, the oldest first, opened. */
export async function listChannels(
  store: Store,
  sealer: Sealer,
  kind: ChannelKind['kind'] | null = null,
): Promise<OpenChannel[]> {
  const { rows } = await store.pool.query<SealedRow>(
    `SELECT ${COLUMNS}, c.sealed_url, c.sealed_headers FROM alert_channels c
     WHERE $1::text IS NULL OR c.kind = $1 ORDER BY c.id`,
    [kind],
  )
  return rows.map((row) => opened(row, sealer))
}

/** One channel, opened. */
export async function findChannel(
  store: Store,
  sealer: Sealer,
  id: number,
): Promise<OpenChannel | undefined> {
  const { rows } = await store.pool.query<SealedRow>(
    `SELECT ${COLUMNS}, c.sealed_url, c.sealed_headers FROM alert_channels c WHERE c.id = $1`,
    [id],
  )
  return rows[0] && opened(rows[0], sealer)
}

function opened({ sealed_url, sealed_headers, ...view }: SealedRow, sealer: Sealer): OpenChannel {
  const purpose = purposeOf(view.id)
  const rest =
    sealed_headers === null
      ? { headers: {}, secret: '' }
      : (JSON.parse(sealer.open(sealed_headers, purpose)) as Pick<ChannelSecrets, 'headers' | 'secret'>)
  return { ...view, url: sealer.open(sealed_url, purpose), ...rest }
}

/** Makes a channel; @returns its id, or null when there is one of the kind with this URL. */
export async function addChannel(store: Store, sealer: Sealer, channel: NewChannel): Promise<number | null> {
  const hash = createHash('sha256').update(channel.url).digest('hex')
  return usingTransaction(store.pool, async (client) => {
    await lockTransaction(client, 'alertChannels')
    const known = await client.query('SELECT FROM alert_channels WHERE kind = $1 AND url_hash = $2', [
      channel.kind,
      hash,
    ])
    if (known.rowCount) return null
    const { rows } = await client.query<{ highest: number }>(
      'SELECT coalesce(max(id), 0) AS highest FROM alert_channels',
    )
    const id = Math.max(nowSeconds(), rows[0]!.highest + 1)
    const rest = JSON.stringify({ headers: channel.headers, secret: channel.secret })
    await client.query(
      `INSERT INTO alert_channels (id, user_login, name, sealed_url, sealed_headers, created_at, kind, url_hash, events,
         least_severity) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        channel.userLogin,
        channel.name,
        sealer.seal(channel.url, purposeOf(id)),
        sealer.seal(rest, purposeOf(id)),
        nowSeconds(),
        channel.kind,
        hash,
        channel.events,
        channel.leastSeverity,
      ],
    )
    return id
  })
}

/** Changes what a channel is called and told of; @returns whether there is such a channel. */
export async function changeChannel(
  store: Store,
  id: number,
  to: {
    readonly name: string | null
    readonly events: readonly AlertEvent[] | null
    readonly leastSeverity: IssueSeverity | null
  },
): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `UPDATE alert_channels SET name = coalesce($2, name), events = coalesce($3, events),
       least_severity = coalesce($4, least_severity) WHERE id = $1`,
    [id, to.name, to.events, to.leastSeverity],
  )
  return rowCount === 1
}

/** Deletes a channel with its messages; @returns whether there was one. */
export async function deleteChannel(
  store: Store,
  id: number,
  kind: ChannelKind['kind'] | null = null,
): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'DELETE FROM alert_channels WHERE id = $1 AND ($2::text IS NULL OR kind = $2)',
    [id, kind],
  )
  return rowCount === 1
}

/** A channel that is notified of something. */
export interface ListeningChannel {
  readonly id: number
  readonly leastSeverity: IssueSeverity
  /** Collections that its owner may see; null = all. */
  readonly visible: readonly number[] | null
}

/** The channels that are notified of an event, by id. */
export async function listeningChannels(client: StoreClient, event: AlertEvent): Promise<ListeningChannel[]> {
  const { rows } = await client.query<ListeningChannel>(
    `SELECT c.id, c.least_severity AS "leastSeverity", ${OWNER_SEES} AS visible FROM alert_channels c
     WHERE $1 = ANY (c.events) ORDER BY c.id FOR KEY SHARE OF c`,
    [event],
  )
  return rows
}
