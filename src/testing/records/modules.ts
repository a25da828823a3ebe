import type { Store } from '../../store/index.ts'

/** Modules that a list holds. */
const MAX_MODULES = 1000

/** A process that works beside this one. */
interface ModuleView {
  id: string
  kind: string
  name: string
  version: string | null
  startedAt: number
  /** Its last heartbeat. */
  seenAt: number
}

/** Keeps a heartbeat; a module that is known is renewed. */
export async function keepModule(store: Store, module: ModuleView): Promise<void> {
  await store.pool.query(
    `INSERT INTO modules (id, kind, name, version, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name, version = excluded.version,
       started_at = excluded.started_at, seen_at = excluded.seen_at`,
    [module.id, module.kind, module.name, module.version, module.startedAt, module.seenAt],
  )
}

/** Which modules a list shows; null: any. */
interface ModuleFilter {
  readonly kind: string | null
  readonly id: string | null
  /** Epoch seconds of their last heartbeat. */
  readonly seenSince: number | null
}

/** The modules seen last, by name. */
export async function listModules(
  store: Store,
  { kind, id, seenSince }: ModuleFilter,
): Promise<ModuleView[]> {
  const { rows } = await store.pool.query<ModuleView>(
    `SELECT * FROM (
       SELECT id, kind, name, version, started_at AS "startedAt", seen_at AS "seenAt" FROM modules
       WHERE ($1::text IS NULL OR kind = $1) AND ($2::text IS NULL OR id = $2)
         AND ($3::bigint IS NULL OR seen_at >= $3) ORDER BY seen_at DESC, id LIMIT ${MAX_MODULES}) m
     ORDER BY name, id`,
    [kind, id, seenSince],
  )
  return rows
}
