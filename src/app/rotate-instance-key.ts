import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createSealer,
  Failure,
  newInstanceKey,
  nowSeconds,
  renameDurably,
  type Sealer,
  type Settings,
  writeFileDurably,
} from '../kit/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../store/index.ts'
import { instanceKeyFile, keySettings } from './instance-key.ts'

/** Column with values sealed for the purpose `<purpose>:<value of the id column>`. */
interface SealedColumn {
  readonly table: string
  readonly id: string
  readonly purpose: string
  readonly columns: readonly string[]
}

/** Everything that is sealed; a test compares it with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', id: 'id', purpose: 'api-key', columns: ['sealed_key'] },
  { table: 'alert_channels', id: 'id', purpose: 'alert-channel', columns: ['sealed_url', 'sealed_headers'] },
  { table: 'ticket_trackers', id: 'kind', purpose: 'ticket-tracker', columns: ['sealed_token'] },
  {
    table: 'auth_mechanisms',
    id: 'id',
    purpose: 'auth-mechanism',
    columns: ['sealed_parameters', 'sealed_steps', 'sealed_flow', 'sealed_token'],
  },
  { table: 'second_factors', id: 'user_id', purpose: 'second-factor', columns: ['sealed_secret'] },
  { table: 'record_keys', id: 'id', purpose: 'record-key', columns: ['sealed_private_key'] },
  { table: 'crawls', id: 'id', purpose: 'crawl', columns: ['sealed_secrets'] },
  { table: 'recorded_flows', id: 'id', purpose: 'recorded-flow', columns: ['sealed_input', 'sealed_result'] },
  { table: 'run_writes', id: 'id', purpose: 'run-write', columns: ['sealed_write'] },
  { table: 'result_evidence', id: 'result_id', purpose: 'evidence', columns: ['sealed_secrets'] },
]

const PAGE = 200
const OWNER_ONLY = 0o600

/** What a rotation did. */
interface Rotation {
  readonly resealed: number
  /** Values that the old key did not open either: they stay as they are. */
  readonly unreadable: number
}

/**
 * Seals everything in the store with a new instance key, in one transaction. The new key lies beside the old one before
 * the transaction and takes its place after; a start in between finds out which of the two the store was sealed with.
 *
 * @param newKey for an installation whose key is a setting; made here otherwise
 */
export async function rotateInstanceKey(
  settings: Settings,
  store: Store,
  oldSealer: Sealer,
  newKey: string = newInstanceKey(),
): Promise<Rotation> {
  const isInFolder = settings.secretKey === null && store.kind === 'embedded'
  const path = join(settings.dataDir, instanceKeyFile)
  if (isInFolder) writeFileDurably(nextKeyFile(path), `${newKey}\n`, OWNER_ONLY)
  const newSealer = createSealer(newKey)
  const rotation = await usingTransaction(store.pool, async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const done = { resealed: 0, unreadable: 0 }
    for (const sealed of sealedColumns) await resealTable(client, sealed, oldSealer, newSealer, done)
    const { check, key } = keySettings
    await keep(client, check, newSealer.seal(check, check))
    if (settings.secretKey === null && !isInFolder) await keep(client, key, newKey)
    return done
  })
  if (isInFolder) renameDurably(nextKeyFile(path), path)
  return rotation
}

/** Ends a rotation that a crash cut short: the key that opens the store's check becomes the key. */
export async function finishRotation(settings: Settings, store: Store): Promise<void> {
  const path = join(settings.dataDir, instanceKeyFile)
  const next = nextKeyFile(path)
  if (!existsSync(next)) return
  const { rows } = await store.pool.query<{ value: unknown }>('SELECT value FROM settings WHERE name = $1', [
    keySettings.check,
  ])
  const isSealedWithNext =
    rows[0] !== undefined && opens(readFileSync(next, 'utf8').trim(), String(rows[0].value))
  if (isSealedWithNext) renameDurably(next, path)
  else rmSync(next)
}

function nextKeyFile(path: string): string {
  return `${path}.next`
}

function opens(key: string, sealed: string): boolean {
  try {
    createSealer(key).open(sealed, keySettings.check)
    return true
  } catch {
    return false // of the other key
  }
}

async function keep(client: StoreClient, name: string, value: string): Promise<void> {
  await client.query(
    `INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    [name, JSON.stringify(value), nowSeconds()],
  )
}

async function resealTable(
  client: StoreClient,
  { table, id, purpose, columns }: SealedColumn,
  oldSealer: Sealer,
  newSealer: Sealer,
  done: { resealed: number; unreadable: number },
): Promise<void> {
  // A page at a time: evidence of test runs can be large.
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: Record<string, string | null>[] } = await client.query(
      `SELECT ${id}::text AS row_id, ${columns.join(', ')} FROM ${table}
       WHERE $1::text IS NULL OR ${id}::text > $1 ORDER BY ${id}::text LIMIT ${PAGE}`,
      [after],
    )
    if (rows.length === 0) return
    for (const row of rows) {
      const rowId = row['row_id']!
      const values = columns.map((column) => {
        const sealed = row[column] ?? null
        if (sealed === null || sealed === '') return sealed
        try {
          const text = oldSealer.open(sealed, `${purpose}:${rowId}`)
          done.resealed++
          return newSealer.seal(text, `${purpose}:${rowId}`)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          done.unreadable++
          return sealed
        }
      })
      const assignments = columns.map((column, index) => `${column} = $${index + 2}`)
      await client.query(`UPDATE ${table} SET ${assignments.join(', ')} WHERE ${id}::text = $1`, [
        rowId,
        ...values,
      ])
    }
    after = rows.at(-1)!['row_id']!
  }
}
