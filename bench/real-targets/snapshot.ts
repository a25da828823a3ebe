/**
 * Everything that a database holds, taken before and after a run, and what is different: the damage.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Rows of every table, as column values by row. The key of a row is its primary key, else its place in the table. */
export type Snapshot = ReadonlyMap<string, ReadonlyMap<string, Row>>
export type Row = Readonly<Record<string, unknown>>

/** A database that can be read as a whole. */
export interface Database {
  snapshot(): Promise<Snapshot>
}

/** What became of one table. */
export interface TableChange {
  readonly table: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** Rows that were added and that the application shows to nobody, because it marked them as deleted. */
  readonly marked: number
  /** A few rows in words, to look at. */
  readonly examples: readonly string[]
}

// The application may hold a lock while it finishes the last write of a run.
const BUSY_MS = 30_000

const EXAMPLES = 5
const EXAMPLE_LENGTH = 300

/** A database in one file. */
export function sqliteDatabase(file: string): Database {
  return {
    snapshot() {
      const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
      try {
        const tables = database
          .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
          .all()
          .map(({ name }) => String(name))
        return Promise.resolve(
          new Map(
            tables.map((table) => {
              const columns = database.prepare(`PRAGMA table_info(${quoted(table)})`).all()
              const key = columns.filter(({ pk }) => pk !== 0).map(({ name }) => String(name))
              const select = database.prepare(`SELECT * FROM ${quoted(table)}`)
              // Hashes may be larger than numbers of JavaScript are exact.
              select.setReadBigInts(true)
              return [table, byKey(select.all().map(withoutBigInts), key)]
            }),
          ),
        )
      } finally {
        database.close()
      }
    },
  }
}

function withoutBigInts(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
}

/** A database of a PostgreSQL server. */
export function postgresDatabase(url: string): Database {
  return {
    async snapshot() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const { rows: tables } = await client.query<{ schema: string; name: string; key: string[] | null }>(`
          SELECT n.nspname AS schema, c.relname AS name,
            (SELECT array_agg(a.attname::text) FROM pg_index i
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
              WHERE i.indrelid = c.oid AND i.indisprimary) AS key
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`)
        const snapshot = new Map<string, ReadonlyMap<string, Row>>()
        for (const { schema, name, key } of tables) {
          const { rows } = await client.query<Row>(`SELECT * FROM ${quoted(schema)}.${quoted(name)}`)
          snapshot.set(schema === 'public' ? name : `${schema}.${name}`, byKey(rows, key ?? []))
        }
        return snapshot
      } finally {
        await client.end()
      }
    },
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A table whose rows are told apart by all they hold, without what any use changes. */
function withoutColumns(
  table: string,
  rows: ReadonlyMap<string, Row> | undefined,
  left: ReadonlySet<string>,
): ReadonlyMap<string, Row> | undefined {
  // A primary key is kept as a list.
  if (rows === undefined || [...rows.keys()].every((key) => key.startsWith('['))) return rows
  const kept = ([name]: [string, unknown]): boolean => !left.has(`${table}.${name}`)
  return byKey(
    [...rows.values()].map((row) => Object.fromEntries(Object.entries(row).filter(kept))),
    [],
  )
}

function byKey(rows: readonly Row[], key: readonly string[]): ReadonlyMap<string, Row> {
  if (key.length > 0)
    return new Map(rows.map((row) => [JSON.stringify(key.map((name) => plain(row[name]))), row]))
  // Equal rows of a table without a key are told apart by their count.
  const seen = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      const text = textOf(row)
      const count = (seen.get(text) ?? 0) + 1
      seen.set(text, count)
      return [`${text}#${count}`, row]
    }),
  )
}

/**
 * What changed between two snapshots, tables that did not change left out.
 *
 * @param volatile tables (`table`) and columns (`table.column`) that do not count
 * @param isMarked whether the application marked a row as deleted instead of deleting it
 */
export function changesBetween(
  before: Snapshot,
  after: Snapshot,
  volatile: readonly string[],
  isMarked: (table: string, row: Row, after: Snapshot) => boolean = () => false,
): readonly TableChange[] {
  const left = new Set(volatile)
  const tables = [...new Set([...before.keys(), ...after.keys()])].filter((table) => !left.has(table)).sort()
  return tables.flatMap((table) => {
    const own = (rows: ReadonlyMap<string, Row> | undefined) => withoutColumns(table, rows, left)
    const change = changeOf(table, own(before.get(table)), own(after.get(table)), {
      volatile: left,
      isMarked: (row) => isMarked(table, row, after),
    })
    return change.added + change.removed + change.changed + change.marked === 0 ? [] : [change]
  })
}

function changeOf(
  table: string,
  before: ReadonlyMap<string, Row> = new Map(),
  after: ReadonlyMap<string, Row> = new Map(),
  {
    volatile,
    isMarked,
  }: { readonly volatile: ReadonlySet<string>; readonly isMarked: (row: Row) => boolean },
): TableChange {
  const examples: string[] = []
  const counts = { added: 0, removed: 0, changed: 0, marked: 0 }
  const note = (what: keyof typeof counts, text: string): void => {
    counts[what]++
    if (examples.length < EXAMPLES) examples.push(`${what} ${text}`.slice(0, EXAMPLE_LENGTH))
  }
  for (const [key, row] of before) {
    const now = after.get(key)
    if (now === undefined) note('removed', textOf(row))
    else {
      const columns = Object.keys({ ...row, ...now }).filter(
        (name) => !volatile.has(`${table}.${name}`) && plain(row[name]) !== plain(now[name]),
      )
      if (columns.length > 0)
        note(
          'changed',
          `${key} ${columns.map((name) => `${name}: ${plain(row[name])} -> ${plain(now[name])}`).join(', ')}`,
        )
    }
  }
  for (const [key, row] of after)
    if (!before.has(key)) {
      if (isMarked(row)) counts.marked++
      else note('added', textOf(row))
    }
  return { table, ...counts, examples }
}

function textOf(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name}=${plain(value)}`)
    .join(' ')
}

/** A value as text, equal for equal values. */
function plain(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}
