import type pg from 'pg'
import { Failure, nowSeconds } from '../kit/index.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { withoutLimit } from './engines/without-limit.ts'
import { migrations as allMigrations, type Migration } from './migrations/index.ts'

/**
 * Brings the schema to this version. Each migration is one transaction, so that it holds only its own locks while
 * processes of the version before work on; concurrent starts take turns. A store written by a newer version with a
 * breaking migration is refused rather than damaged.
 *
 * @returns names of the migrations applied now
 * @throws Failure STORE_IS_NEWER
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const client = await pool.connect()
  const applied: string[] = []
  try {
    for (;;) {
      const name = await applyNext(client, migrations)
      if (name === null) return applied
      applied.push(name)
    }
  } finally {
    client.release()
  }
}

/** Applies the first migration that the store lacks; @returns its name, null when there is none */
async function applyNext(client: pg.PoolClient, migrations: readonly Migration[]): Promise<string | null> {
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    await client.query({
      ...withoutLimit('SELECT pg_advisory_xact_lock($1)'),
      values: [advisoryLocks.migrations],
    })
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations (
         name text PRIMARY KEY, is_breaking boolean NOT NULL, applied_at integer NOT NULL)`,
    )
    const { rows } = await client.query<{ name: string; is_breaking: boolean }>(
      'SELECT name, is_breaking FROM migrations ORDER BY name',
    )
    const known = new Set(migrations.map((migration) => migration.name))
    const newer = rows.find((row) => row.is_breaking && !known.has(row.name))
    if (newer) throw new Failure('STORE_IS_NEWER', { migration: newer.name })
    const done = new Set(rows.map((row) => row.name))
    const next = migrations.find(({ name }) => !done.has(name))
    if (next !== undefined) {
      await client.query('INSERT INTO migrations (name, is_breaking, applied_at) VALUES ($1, $2, $3)', [
        next.name,
        next.isBreaking,
        nowSeconds(),
      ])
      await client.query(withoutLimit(next.sql))
    }
    await client.query('COMMIT')
    return next?.name ?? null
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Names of the migrations that an existing store still lacks; none for one that is new or current. */
export async function pendingMigrations(
  pool: pg.Pool,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const { rows: tables } = await pool.query<{ found: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  )
  if (!tables[0]?.found) return []
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM migrations')
  const done = new Set(rows.map(({ name }) => name))
  return done.size === 0 ? [] : migrations.map(({ name }) => name).filter((name) => !done.has(name))
}
