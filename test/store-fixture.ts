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

/** A place for a fresh store on the engine under test; the schema of the embedded one is there already. */
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
  await onServer(serverUrl, `CREATE DATABASE ${name}`)
  const databaseUrl = new URL(serverUrl)
  databaseUrl.pathname = `/${name}`
  return {
    databaseUrl: databaseUrl.href,
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
  const mark = createHash('sha256')
    .update(version)
    .update(JSON.stringify(migrations))
    .digest('hex')
    .slice(0, 16)
  const folder = join(tmpdir(), `vigil-test-template-${mark}`)
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
