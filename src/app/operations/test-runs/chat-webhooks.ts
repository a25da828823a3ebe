import { createHash } from 'node:crypto'
import type { ApiToken } from '../../../contract/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import { usingTransaction } from '../../../store/index.ts'
import { maskText } from '../../../testing/index.ts'
import type { App, Caller } from '../../handler.ts'
import { organisationId } from '../../organisation.ts'

/** Any constant: the number under which makers of alert channels take turns (PostgreSQL advisory lock). */
const CHANNEL_LOCK = 7_351_905
const DAY_SECONDS = 86_400

function purposeOf(id: number): string {
  return `alert-channel:${id}`
}

/** Every chat webhook on the wire, the oldest first; URLs are masked for guests. */
export async function listChatWebhooks({ store, sealer }: App, caller: Caller): Promise<ApiToken[]> {
  const rows = await store.db
    .selectFrom('alert_channels')
    .select(['id', 'user_login', 'name', 'sealed_url', 'created_at'])
    .where('kind', '=', 'SLACK')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const url = sealer.open(row.sealed_url, purposeOf(row.id))
    return {
      id: row.id,
      accountId: organisationId,
      name: row.name,
      key: caller.role === 'GUEST' ? maskUrl(url) : url,
      timestamp: row.created_at,
      username: row.user_login,
      utility: 'SLACK',
    }
  })
}

/** The path of a webhook is its secret. */
function maskUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}/${maskText(pathname.slice(1))}`
}

/** The fields of the record that describe one webhook. */
export function recordOf(webhook: ApiToken): {
  apiTokenId: number
  webhookName: string
  webhookUrl: string
  tokenUtility: string
  frequencyInSeconds: number
} {
  return {
    apiTokenId: webhook.id,
    webhookName: webhook.name,
    webhookUrl: webhook.key,
    tokenUtility: 'SLACK',
    frequencyInSeconds: DAY_SECONDS,
  }
}

/** Adds a chat webhook; @returns its id, or null when the URL is there already. */
export async function addChatWebhook(
  { store, sealer }: App,
  webhook: { url: string; name: string; login: string },
): Promise<number | null> {
  const hash = createHash('sha256').update(webhook.url).digest('hex')
  return usingTransaction(store.pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [CHANNEL_LOCK])
    const known = await client.query(`SELECT FROM alert_channels WHERE kind = 'SLACK' AND url_hash = $1`, [
      hash,
    ])
    if (known.rowCount) return null
    const { rows } = await client.query<{ highest: number }>(
      'SELECT coalesce(max(id), 0) AS highest FROM alert_channels',
    )
    const id = Math.max(nowSeconds(), rows[0]!.highest + 1)
    await client.query(
      `INSERT INTO alert_channels (id, user_login, name, sealed_url, created_at, kind, url_hash)
       VALUES ($1, $2, $3, $4, $5, 'SLACK', $6)`,
      [id, webhook.login, webhook.name, sealer.seal(webhook.url, purposeOf(id)), nowSeconds(), hash],
    )
    return id
  })
}
