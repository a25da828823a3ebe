import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { migrations } from './index.ts'

/**
 * Processes of the version before work on a migrated store until they are replaced: what a migration does to tables that
 * were there must not fail the statements that they send.
 */

interface Column {
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
}

/** What statements of a process depend on. */
interface Schema {
  /** By table and column. */
  readonly columns: ReadonlyMap<string, Column>
  readonly tables: ReadonlySet<string>
  /** Definitions of CHECK constraints by table and name. */
  readonly checks: ReadonlyMap<string, string>
  /**
   * Unique indexes, exclusion constraints, foreign keys and triggers, by table and name; but not triggers after deletions, and
   * those that only notify.
   */
  readonly refusing: ReadonlySet<string>
}

let opened: Awaited<ReturnType<typeof openTestStore>>
let client: pg.PoolClient

const HERE = "n.nspname = 'upgraded'"
/** Bits of pg_trigger.tgtype: when and at what a trigger fires, and whether for each row. */
const ALL_BUT_ROW = 0b1111110
const AFTER_DELETE = 0b0001000

async function schemaOf(on: pg.PoolClient): Promise<Schema> {
  const columns = await on.query<{ key: string; relation: string } & Column>(
    `SELECT c.relname || '.' || a.attname AS key, c.relname AS relation, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS "isRequired", a.atthasdef OR a.attidentity <> '' AS "hasDefault"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${HERE} AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  const constraints = await on.query<{ key: string; kind: string; definition: string }>(
    `SELECT c.relname || '.' || o.conname AS key, o.contype AS kind, pg_get_constraintdef(o.oid) AS definition
     FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${HERE}`,
  )
  const others = await on.query<{ key: string }>(
    `SELECT t.relname || '.' || i.relname AS key FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
       WHERE ${HERE} AND x.indisunique
     UNION ALL
     SELECT c.relname || '.' || g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_proc p ON p.oid = g.tgfoid
       WHERE ${HERE} AND NOT g.tgisinternal AND g.tgtype & ${ALL_BUT_ROW} <> ${AFTER_DELETE}
         AND p.proname NOT IN ('tell_news', 'tell_news_of_rows')`,
  )
  return {
    columns: new Map(columns.rows.map((row) => [row.key, row])),
    tables: new Set(columns.rows.map(({ relation }) => relation)),
    checks: new Map(
      constraints.rows.filter(({ kind }) => kind === 'c').map(({ key, definition }) => [key, definition]),
    ),
    refusing: new Set(
      [...constraints.rows.filter(({ kind }) => 'fx'.includes(kind)), ...others.rows].map(({ key }) => key),
    ),
  }
}

const tableOf = (key: string): string => key.split('.', 1)[0]!
const wordsOf = (definition: string): string[] => definition.match(/'[^']*'/g) ?? []

/** What a process that knows the schema before cannot live with in the one after. */
function breaksBetween(before: Schema, after: Schema): string[] {
  const found: string[] = []
  for (const [key, { type, isRequired }] of before.columns) {
    const now = after.columns.get(key)
    if (now === undefined) found.push(`${key} is gone`)
    else if (now.type !== type) found.push(`${key} changed its type`)
    else if (now.isRequired && !isRequired) found.push(`${key} refuses null now`)
  }
  for (const [key, { isRequired, hasDefault }] of after.columns)
    if (!before.columns.has(key) && before.tables.has(tableOf(key)) && isRequired && !hasDefault)
      found.push(`${key} is required and has no default`)
  for (const [key, definition] of after.checks) {
    const old = before.checks.get(key)
    const isNarrower = old !== undefined && wordsOf(old).some((word) => !definition.includes(word))
    if (isNarrower) found.push(`${key} allows less than before`)
    // A column that is new has its own check; its default passes it.
    const isOfNewColumn = [...after.columns.keys()].some(
      (column) => !before.columns.has(column) && definition.includes(column.split('.')[1]!),
    )
    if (old === undefined && before.tables.has(tableOf(key)) && !isOfNewColumn)
      found.push(`${key} checks what was not checked before`)
  }
  for (const key of after.refusing)
    if (!before.refusing.has(key) && before.tables.has(tableOf(key)))
      found.push(`${key} can refuse rows of a table that was there`)
  return found
}

const byMigration = new Map<string, string[]>()
/** The schema of all migrations. */
let latest: Schema

/** Applies every migration to an empty schema, one after the other. */
beforeAll(async () => {
  opened = await openTestStore()
  client = await opened.store.pool.connect()
  await client.query('BEGIN')
  await client.query('CREATE SCHEMA upgraded; SET LOCAL search_path TO upgraded')
  let before: Schema | null = null
  for (const { name, sql } of migrations) {
    await client.query(sql)
    latest = await schemaOf(client)
    byMigration.set(name, before === null ? [] : breaksBetween(before, latest))
    before = latest
  }
})
afterAll(async () => {
  await client.query('ROLLBACK')
  client.release()
  await opened.close()
})

/** What a further migration would break. */
async function breaksOf(sql: string): Promise<string[]> {
  await client.query('SAVEPOINT further')
  try {
    await client.query(sql)
    return breaksBetween(latest, await schemaOf(client))
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT further')
  }
}

test('what a process of the version before sends works on the migrated store', () => {
  const breaks = migrations.flatMap(({ name, isBreaking }) =>
    isBreaking ? [] : byMigration.get(name)!.map((finding) => `${name}: ${finding}`),
  )
  expect(breaks).toEqual([])
})

test.each([
  ['DROP TABLE elections', 'elections.name is gone'],
  ['ALTER TABLE collections RENAME COLUMN name TO title', 'collections.name is gone'],
  ['ALTER TABLE collections ALTER COLUMN created_at TYPE bigint', 'collections.created_at changed its type'],
  ['ALTER TABLE issues ALTER COLUMN rule_id SET NOT NULL', 'issues.rule_id refuses null now'],
  ['ALTER TABLE issues ADD COLUMN added text NOT NULL', 'issues.added is required and has no default'],
  ['ALTER TABLE issues ADD CONSTRAINT short CHECK (length(url) < 9)', 'issues.short checks what was not'],
  [
    `CREATE TRIGGER refusing AFTER INSERT OR DELETE ON issues FOR EACH ROW EXECUTE FUNCTION mark_later_facts()`,
    'issues.refusing can refuse rows',
  ],
  ['CREATE UNIQUE INDEX one_name ON collections (name)', 'collections.one_name can refuse rows'],
])('%s is found', async (sql, finding) => {
  expect((await breaksOf(sql)).join()).toContain(finding)
})

test('a migration that only adds is not found', async () => {
  const column = "ALTER TABLE issues ADD COLUMN added text NOT NULL DEFAULT '' CHECK (added <> 'x')"
  expect(await breaksOf(`${column}; CREATE TABLE more (id text PRIMARY KEY)`)).toEqual([])
})
