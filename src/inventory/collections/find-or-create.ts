import { type EpochSeconds, Failure, nowSeconds, storable } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import { environmentOf } from '../environment.ts'

/** Attempts to find a free id: ids are creation seconds, and many collections may be made in one. */
const MAX_ID_ATTEMPTS = 1000
const MAX_NAME = 60
const NAME = /^[\p{L}\p{N} ._-]+$/u

/** Ids of deleted collections are not given again: what was counted for the old one is not for the new one. */
let lastGivenId = 0

/** A collection that was found or made. */
export interface FoundCollection {
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
  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO collections (id, name, host_name, kind, env_type, tags, created_at)
       VALUES ($1, $2, $3, 'HOST', $4, $5::jsonb, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [
        nowSeconds() + attempt,
        attempt < 2 ? host : `${host} ${attempt}`,
        host,
        environmentOf(host, labels) ?? null,
        JSON.stringify(tags),
        nowSeconds(),
      ],
    )
    if (rows[0]) return rows[0].id
    const other = await client.query<{ id: number }>('SELECT id FROM collections WHERE host_name = $1', [
      host,
    ])
    if (other.rows[0]) return other.rows[0].id
  }
  throw new Error(`no free id for the collection of ${host}`)
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
 * Makes a collection for files and edits by hand.
 *
 * @throws Failure for a bad name, COLLECTION_NAME_TAKEN when it exists
 */
export async function createManualCollection(
  client: Queryable,
  name: string,
  at: EpochSeconds,
): Promise<FoundCollection> {
  const checked = checkedName(name)
  const from = Math.max(at, lastGivenId + 1)
  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO collections (id, name, kind, created_at) VALUES ($1, $2, 'MANUAL', $3)
       ON CONFLICT DO NOTHING RETURNING id`,
      [from + attempt, checked, at],
    )
    if (rows[0]) {
      lastGivenId = Math.max(lastGivenId, rows[0].id)
      return { id: rows[0].id, isNew: true }
    }
    const taken = await client.query('SELECT FROM collections WHERE name = $1', [checked])
    if (taken.rowCount) throw new Failure('COLLECTION_NAME_TAKEN', {})
  }
  throw new Error(`no free id for the collection ${checked}`)
}
