import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { moduleLeaseSeconds } from './crawl-states.ts'

/** Type under which crawler modules are kept among the modules. */
export const crawlerModuleKind = 'DAST'
/** A module of the same name that was silent so long was another process. */
const FORGOTTEN_SECONDS = 360

/** What a module tells of itself. */
interface ModuleHeartbeat {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly version: string | null
  /** By the clock of the module. */
  readonly startedAt: number
}

/**
 * Keeps a heartbeat of a module, and renews the crawls that this process of it has.
 *
 * @returns whether it is to start again, which it is reported once
 */
export async function keepCrawlerModule(
  store: Store,
  { id, kind, name, version, startedAt }: ModuleHeartbeat,
  now = nowSeconds(),
): Promise<{ isRebootAsked: boolean }> {
  const { rows } = await store.pool.query<{ details: { reboot?: boolean; firstSeen?: number } | null }>(
    'SELECT details FROM modules WHERE id = $1',
    [id],
  )
  const known = rows[0]?.details ?? null
  const firstSeen = known?.firstSeen ?? now
  await store.pool.query(
    `INSERT INTO modules (id, kind, name, version, started_at, seen_at, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)
     ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, version = excluded.version,
       started_at = excluded.started_at, seen_at = excluded.seen_at, details = excluded.details`,
    [id, kind, name, version, startedAt, now, JSON.stringify({ firstSeen })],
  )
  await store.pool.query('DELETE FROM modules WHERE kind = $1 AND name = $2 AND id <> $3 AND seen_at < $4', [
    kind,
    name,
    id,
    now - FORGOTTEN_SECONDS,
  ])
  if (kind === crawlerModuleKind) {
    // A crawl that an earlier process of the same name had is not this one's; one that reports its time every second
    // keeps its lease by that, whichever process of the name reports.
    await store.pool.query(
      `UPDATE crawls SET seen_at = $2, lease_until = greatest(lease_until, $2::integer + $3::integer)
       WHERE module_name = $1 AND lease_owner IS NOT NULL AND held_since >= $4 AND active_ms = 0
         AND status IN ('PENDING', 'RUNNING', 'STOP_REQUESTED')`,
      [name, now, moduleLeaseSeconds, firstSeen],
    )
  }
  return { isRebootAsked: known?.reboot === true }
}

/** A module that crawls can choose. */
interface AvailableModule {
  readonly name: string
  readonly seenAt: number
}

/** Crawler modules that were heard within the seconds given, each name once, by name. */
export async function availableModules(
  store: Store,
  withinSeconds: number,
  now = nowSeconds(),
): Promise<AvailableModule[]> {
  const { rows } = await store.pool.query<AvailableModule>(
    `SELECT name, max(seen_at) AS "seenAt" FROM modules WHERE kind = $1 AND seen_at >= $2
     GROUP BY name ORDER BY name LIMIT 1000`,
    [crawlerModuleKind, now - withinSeconds],
  )
  return rows
}

/** Forgets modules. */
export async function deleteModules(store: Store, ids: readonly string[]): Promise<void> {
  await store.pool.query('DELETE FROM modules WHERE id = ANY ($1)', [ids])
}

/** Asks modules to start again; each is reported with its next heartbeat. */
export async function askReboot(store: Store, ids: readonly string[]): Promise<void> {
  await store.pool.query(
    `UPDATE modules SET details = coalesce(details, '{}') || '{"reboot": true}' WHERE id = ANY ($1)`,
    [ids],
  )
}
