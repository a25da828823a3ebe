import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { makePartitions, partitionedTables, type Store } from '../src/store/index.ts'
import { migrations } from '../src/store/migrations/index.ts'
import { openStore } from '../src/store/owner.ts'

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

/** What a fresh store has: its schema alone, or the tests and filters that come with the product, too. */
type Content = 'schema' | 'library'

/**
 * A place for a fresh store on the engine under test; the schema is there already.
 *
 * @param content in a run of one file, whose stores would not repay the copy, servers take over the library themselves
 */
export async function freshStorePlace(content: Content = 'library'): Promise<StorePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-data-'))
  if (!serverUrl) {
    cpSync(await folderToCopy(content), join(dataDir, 'database'), { recursive: true })
    return {
      databaseUrl: null,
      dataDir,
      dispose: async () => rmSync(dataDir, { recursive: true, force: true }),
    }
  }
  const name = `vigil_test_${randomBytes(8).toString('hex')}`
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${await databaseToCopy(serverUrl, content)}`)
  return {
    databaseUrl: databaseAt(serverUrl, name),
    dataDir,
    async dispose() {
      rmSync(dataDir, { recursive: true, force: true })
      await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** Puts the database of a fresh embedded store into a data folder, whatever the engine under test. */
export async function copyEmbeddedStore(dataDir: string, content: Content = 'schema'): Promise<void> {
  cpSync(await folderToCopy(content), join(dataDir, 'database'), { recursive: true })
}

/** A separate, fresh store, for tests of modules that need no server. */
export async function openTestStore(): Promise<{ store: Store; close(): Promise<void> }> {
  const place = await freshStorePlace('schema')
  const store = await openStore({
    databaseUrl: place.databaseUrl ?? undefined,
    dataDir: place.dataDir,
    isDurable: false,
  })
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
/** Folder of the run of many files that this one belongs to; what is made there once serves all. */
const runFolder = process.env['VIGIL_TEST_RUN_FOLDER']
/** Known once the process has made or found it. */
const databases = new Map<Content, Promise<string>>()
const folders = new Map<Content, Promise<string>>()

/** The value of a key, made by the first who asks. */
function once<T>(known: Map<Content, Promise<T>>, content: Content, make: () => Promise<T>): Promise<T> {
  const found = known.get(content) ?? make()
  known.set(content, found)
  return found
}

/** Database of a new store on the server, made once per schema: a copy takes a fifth of the time of making one. */
function databaseToCopy(url: string, content: Content): Promise<string> {
  return once(databases, content, async () => {
    const schema = `vigil_template_${schemaMark('')}`
    if (content === 'schema' || runFolder === undefined)
      return makeDatabase(url, schema, null, makeAllPartitions)
    const name = `vigil_library_${createHash('sha256').update(runFolder).digest('hex').slice(0, 16)}`
    return makeDatabase(url, name, await databaseToCopy(url, 'schema'), keepLibraries)
  })
}

async function makeDatabase(
  url: string,
  name: string,
  template: string | null,
  fill: (store: Store) => unknown,
): Promise<string> {
  const draft = `${name}_draft`
  const lock = new pg.Client({ connectionString: url })
  await lock.connect()
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const found = await lock.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 1) return name
    await lock.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await lock.query(`CREATE DATABASE ${draft} ${template === null ? '' : `TEMPLATE ${template}`}`)
    const dataDir = mkdtempSync(join(tmpdir(), 'vigil-test-draft-'))
    const store = await openStore({ databaseUrl: databaseAt(url, draft), dataDir, isDurable: false })
    await fill(store)
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
    await lock.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
    return name
  } finally {
    await lock.end()
  }
}

/** Makes what the first maintenance would make in every store. */
async function makeAllPartitions(store: Store): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  for (const parent of Object.values(partitionedTables)) await makePartitions(store, parent, now)
}

/** Takes over what comes with the product, as the first start does. */
async function keepLibraries(store: Store): Promise<void> {
  const { keepLibrary } = await import('../src/app/test-runs/library.ts')
  const { keepFilterLibrary } = await import('../src/app/threat/filter-library.ts')
  await keepLibrary(store)
  await keepFilterLibrary(store)
}

function schemaMark(engine: string): string {
  return createHash('sha256')
    .update(`${engine} with partitions`)
    .update(JSON.stringify(migrations))
    .digest('hex')
    .slice(0, 16)
}

/** Database folder of a new embedded store, made once per schema: a copy takes a tenth of the time of making one. */
function folderToCopy(content: Content): Promise<string> {
  return once(folders, content, async () => {
    const engine = readFileSync(
      new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url),
      'utf8',
    )
    const version = (JSON.parse(engine) as { version: string }).version
    const schema = join(tmpdir(), `vigil-test-template-${schemaMark(version)}`)
    if (content === 'schema' || runFolder === undefined) return makeFolder(schema, null, makeAllPartitions)
    return makeFolder(join(runFolder, 'library'), await folderToCopy('schema'), keepLibraries)
  })
}

async function makeFolder(
  folder: string,
  template: string | null,
  fill: (store: Store) => unknown,
): Promise<string> {
  const database = join(folder, 'database')
  if (existsSync(database)) return database
  const draft = mkdtempSync(join(tmpdir(), 'vigil-test-draft-'))
  if (template !== null) cpSync(template, join(draft, 'database'), { recursive: true })
  const store = await openStore({ databaseUrl: undefined, dataDir: draft, isDurable: false })
  await fill(store)
  await store.close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another test process made it at the same time: either one is good.
    if (!existsSync(database)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
  return database
}
