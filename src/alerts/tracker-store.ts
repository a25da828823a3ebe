import { nowSeconds, type Sealer } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { TicketTracker, TrackerAccess } from './trackers/tracker.ts'

/** A tracker that is set up. */
export interface OpenTracker extends TrackerAccess {
  readonly kind: TicketTracker['kind']
  readonly updatedBy: string
  readonly updatedAt: number
}

function purposeOf(kind: TicketTracker['kind']): string {
  return `ticket-tracker:${kind}`
}

interface SealedRow extends Omit<OpenTracker, 'token'> {
  sealed_token: string
}

/** The trackers that are set up, opened. */
export async function listTrackers(store: Store, sealer: Sealer): Promise<OpenTracker[]> {
  const { rows } = await store.pool.query<SealedRow>(
    `SELECT kind, base_url AS "baseUrl", login, sealed_token, updated_by AS "updatedBy", updated_at AS "updatedAt"
     FROM ticket_trackers ORDER BY kind`,
  )
  return rows.map(({ sealed_token, ...row }) => ({
    ...row,
    token: sealer.open(sealed_token, purposeOf(row.kind)),
  }))
}

/** Sets a tracker up, or anew; @returns it. */
export async function saveTracker(
  store: Store,
  sealer: Sealer,
  kind: TicketTracker['kind'],
  access: TrackerAccess,
  login: string,
): Promise<OpenTracker> {
  const updatedAt = nowSeconds()
  await store.pool.query(
    `INSERT INTO ticket_trackers (kind, base_url, login, sealed_token, updated_by, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind) DO UPDATE SET base_url = excluded.base_url, login = excluded.login,
       sealed_token = excluded.sealed_token, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [kind, access.baseUrl, access.login, sealer.seal(access.token, purposeOf(kind)), login, updatedAt],
  )
  return { ...access, kind, updatedBy: login, updatedAt }
}

/** Forgets a tracker; @returns whether it was set up. */
export async function deleteTracker(store: Store, kind: TicketTracker['kind']): Promise<boolean> {
  const { rowCount } = await store.pool.query('DELETE FROM ticket_trackers WHERE kind = $1', [kind])
  return rowCount === 1
}
