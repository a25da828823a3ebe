import { type EpochSeconds, Failure, nowSeconds, storable } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { environmentOf } from '../environment.ts'

/** Attempts to take a free id and name, which others may take first. */
const MAX_ATTEMPTS = 100
/** Ids are creation seconds made unique: of those so far ahead of the clock some may have been set by hand. */
const MAX_AHEAD = 10_000_000
const MAX_NAME = 60
const NAME = /^[\p{L}\p{N} ._-]+$/u

/** Ids of deleted collections are not given again: what was counted for the old one is not for the new one. */
let lastGivenId = 0

/** The first id from `at` on above those that were given; others may take it first. */
async function nextId(client: Queryable, at: EpochSeconds): Promise<number> {
  const from = Math.max(at, lastGivenId + 1)
  const { rows } = await client.query<{ id: number }>(
    'SELECT coalesce(max(id) + 1, $1::integer) AS id FROM collections WHERE id BETWEEN $1::integer AND $2::integer',
    [from, from + MAX_AHEAD],
  )
  return rows[0]!.id
}

/** The host's name, with a number when collections that people made have it. */
async function nameForHost(client: Queryable, host: string): Promise<string> {
  const known = await client.query('SELECT FROM collections WHERE name = $1', [host])
  if (known.rowCount === 0) return host
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM collections WHERE starts_with(name, $1 || ' ')`,
    [host],
  )
  const taken = new Set(rows.map(({ name }) => name))
  let number = 2
  while (taken.has(`${host} ${number}`)) number++
  return `${host} ${number}`
}

/** Whether the organisation wants no payload values of new collections. */
const IS_REDACTED = `coalesce((SELECT (value ->> 'redactsNewCollections')::boolean FROM settings
  WHERE name = 'organisation'), false)`

/** A collection that was found or made. */
interface FoundCollection {
  id: number
  isNew: boolean
}

/**
 * The collection of a host, made when there is none; of several writers that see a host first, one makes it. Its
 * environment is read off the host's name. A manual collection that carries the host's name keeps it: the host's
 * collection is then named with a number.
 */
export async function collectionForHost(
  client: Queryable,
  host: string,
  at: EpochSeconds,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const known = await client.query<{ id: number }>('SELECT id FROM collections WHERE host_name = $1', [host])
  if (known.rows[0]) return known.rows[0].id
  const tags = Object.entries(labels).map(([keyName, value]) => ({
    keyName: storable(keyName),
    value: storable(value),
    source: 'TRAFFIC',
    lastUpdatedTs: at,
  }))
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const now = nowSeconds()
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO collections (id, name, host_name, kind, env_type, tags, created_at, is_redacted)
       VALUES ($1, $2, $3, 'HOST', $4, $5::jsonb, $6, ${IS_REDACTED}) ON CONFLICT DO NOTHING RETURNING id`,
      [
        await nextId(client, now),
        await nameForHost(client, host),
        host,
        environmentOf(host, labels) ?? null,
        JSON.stringify(tags),
        now,
      ],
    )
    if (rows[0]) return given(rows[0].id)
    const other = await client.query<{ id: number }>('SELECT id FROM collections WHERE host_name = $1', [
      host,
    ])
    if (other.rows[0]) return other.rows[0].id
  }
  throw new Error(`no free id for the collection of ${host}`)
}

function given(id: number): number {
  lastGivenId = Math.max(lastGivenId, id)
  return id
}

/**
 * Checks a name given by a person.
 *
 * @returns the trimmed name
 * @throws Failure INVALID_COLLECTION_NAME, COLLECTION_NAME_TOO_LONG, COLLECTION_NAME_CHARACTERS
 */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new Failure('INVALID_COLLECTION_NAME', {})
  if (trimmed.length > MAX_NAME) throw new Failure('COLLECTION_NAME_TOO_LONG', {})
  if (!NAME.test(trimmed)) throw new Failure('COLLECTION_NAME_CHARACTERS', {})
  return trimmed
}

/**
 * Makes a collection for files, crawls and edits by hand.
 *
 * @param name one that {@link checkedName} returned, or a host with its port
 * @throws Failure COLLECTION_NAME_TAKEN when it exists
 */
export async function createManualCollection(
  client: Queryable,
  name: string,
  at: EpochSeconds,
): Promise<FoundCollection> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO collections (id, name, kind, created_at, is_redacted) VALUES ($1, $2, 'MANUAL', $3, ${IS_REDACTED})
       ON CONFLICT DO NOTHING RETURNING id`,
      [await nextId(client, at), name, at],
    )
    if (rows[0]) return { id: given(rows[0].id), isNew: true }
    const taken = await client.query('SELECT FROM collections WHERE name = $1', [name])
    if (taken.rowCount) throw new Failure('COLLECTION_NAME_TAKEN', {})
  }
  throw new Error(`no free id for the collection ${name}`)
}
