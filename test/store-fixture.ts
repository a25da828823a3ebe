import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore, type Store } from '../src/store/index.ts'
import { migrations } from '../src/store/migrations/index.ts'

/** Room for one fresh store: an empty database of the server under test, or a folder of the embedded engine. */
export interface StorePlace {
  /** Null: embedded. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Removes database and folder; the store must be closed. */
  dispose(): Promise<void>
}

const serverUrl = process.env['VIGIL_TEST_DATABASE_URL']

/** Which engine the tests of this run use. */
export const testedEngine: 'embedded' | 'postgres' = serverUrl ? 'postgres' : 'embedded'

/** A place for a fresh store on the engine under test; the schema is there already. */
export async function freshStorePlace(): Promise<StorePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-data-'))
  if (!serverUrl) {
    cpSync(await migratedFolder(), join(dataDir, 'database'), { recursive: true })
    return {
      databaseUrl: null,
      dataDir,
      dispose: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  }
  const name = `vigil_test_${randomBytes(8).toString('hex')}`
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${await migratedDatabase(serverUrl)}`)
  return {
    databaseUrl: databaseAt(serverUrl, name),
    dataDir,
    async dispose() {
      rmSync(dataDir, { recursive: true, force: true })
      await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** A fresh store of its own, for tests of rooms that need no server. */
export async function openTestStore(): Promise<{ store: Store; close(): Promise<void> }> {
  const place = await freshStorePlace()
  const store = await openStore({ databaseUrl: place.databaseUrl ?? undefined, dataDir: place.dataDir })
  return {
    store,
    async close() {
      await store.close()
      await place.dispose()
    },
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function databaseAt(url: string, name: string): string {
  const database = new URL(url)
  database.pathname = `/${name}`
  return database.href
}

/** Any number: test processes take turns under this advisory lock to make the database that the others copy. */
const TEMPLATE_LOCK = 5_401_771
/** Known once the process has made or found it. */
let migrated: Promise<string> | undefined

/** Database of a new, migrated store on the server, made once per schema: a copy takes a fifth of the time of making one. */
function migratedDatabase(url: string): Promise<string> {
  migrated ??= makeMigratedDatabase(url)
  return migrated
}

async function makeMigratedDatabase(url: string): Promise<string> {
  const name = `vigil_template_${schemaMark('')}`
  const draft = `${name}_draft`
  const lock = new pg.Client({ connectionString: url })
  await lock.connect()
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const found = await lock.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 1) return name
    await lock.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await lock.query(`CREATE DATABASE ${draft}`)
    const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-draft-'))
    await (await openStore({ databaseUrl: databaseAt(url, draft), dataDir })).close()
    rmSync(dataDir, { recursive: true, force: true })
    await lock.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
    return name
  } finally {
    await lock.end()
  }
}

function schemaMark(engine: string): string {
  return createHash('sha256').update(engine).update(JSON.stringify(migrations)).digest('hex').slice(0, 16)
}

/**
 * Database folder of a new, migrated embedded store, made once per schema and machine: a copy takes a tenth of the
 * time of making one.
 */
async function migratedFolder(): Promise<string> {
  const engine = readFileSync(
    new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url),
    'utf8',
  )
  const version = (JSON.parse(engine) as { version: string }).version
  const folder = join(tmpdir(), `vigil-test-template-${schemaMark(version)}`)
  if (existsSync(join(folder, 'database'))) return join(folder, 'database')
  const draft = mkdtempSync(join(tmpdir(), 'vigil-test-draft-'))
  mkdirSync(draft, { recursive: true })
  await (await openStore({ databaseUrl: undefined, dataDir: draft })).close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another test process made it at the same time: either one is good.
    if (!existsSync(join(folder, 'database'))) throw error
    rmSync(draft, { recursive: true, force: true })
  }
  return join(folder, 'database')
}
