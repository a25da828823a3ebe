import { environments } from '../../contract/vocabulary.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { type CollectionTag, type Store, usingTransaction } from '../../store/index.ts'
import { checkedName } from './find-or-create.ts'
import { collectionState } from './list-collections.ts'

/** Checks that all of these collections exist. @throws Failure NO_SUCH_COLLECTION */
export async function requireAllCollections(store: Store, ids: readonly number[]): Promise<void> {
  const { rows } = await store.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM collections WHERE id = ANY ($1::integer[])',
    [ids],
  )
  if (rows[0]!.count < new Set(ids).size) throw new Failure('NO_SUCH_COLLECTION', {})
}

/**
 * Deletes collections with everything in them; unknown ids are passed over.
 *
 * @returns the ids that were deleted
 * @throws Failure AUTOMATED_GROUP_FIXED for a group that the system made
 */
export async function deleteCollections(store: Store, ids: readonly number[]): Promise<number[]> {
  return usingTransaction(store.pool, async (client) => {
    const fixed = await client.query(
      'SELECT FROM collections WHERE id = ANY ($1::integer[]) AND is_automated',
      [ids],
    )
    if (fixed.rowCount) throw new Failure('AUTOMATED_GROUP_FIXED', {})
    await client.query(
      `UPDATE users SET collection_ids = array(SELECT x FROM unnest(collection_ids) AS x WHERE x <> ALL ($1::integer[]))
       WHERE collection_ids && $1::integer[]`,
      [ids],
    )
    // Rules that apply everywhere outlive the collection that they were made in.
    await client.query(
      `UPDATE false_positive_rules SET collection_id = NULL, method = NULL, url = NULL
       WHERE scope = 'EVERYWHERE' AND collection_id = ANY ($1::integer[])`,
      [ids],
    )
    const { rows } = await client.query<{ id: number }>(
      'DELETE FROM collections WHERE id = ANY ($1::integer[]) RETURNING id',
      [ids],
    )
    return rows.map((row) => row.id)
  })
}

/**
 * Renames a collection; those fed from the traffic of a host keep their name.
 *
 * @throws Failure NO_SUCH_COLLECTION, TRAFFIC_COLLECTION_FIXED, AUTOMATED_GROUP_FIXED, COLLECTION_NAME_TAKEN, bad name
 */
export async function renameCollection(store: Store, id: number, name: string): Promise<void> {
  const checked = checkedName(name)
  const state = await collectionState(store, id)
  if (state === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  if (state.kind === 'HOST') throw new Failure('TRAFFIC_COLLECTION_FIXED', {})
  if (state.isAutomated) throw new Failure('AUTOMATED_GROUP_FIXED', {})
  const taken = await store.pool.query('SELECT FROM collections WHERE name = $1 AND id <> $2', [checked, id])
  if (taken.rowCount) throw new Failure('COLLECTION_NAME_TAKEN', {})
  await store.pool.query('UPDATE collections SET name = $2 WHERE id = $1', [id, checked])
}

/** Stores the description; null removes it. @throws Failure NO_SUCH_COLLECTION */
export async function describeCollection(
  store: Store,
  id: number,
  description: string | null,
): Promise<void> {
  await requireAllCollections(store, [id])
  await store.pool.query(`UPDATE collections SET description = nullif($2, '') WHERE id = $1`, [
    id,
    description,
  ])
}

/** Sets one flag of several collections. @throws Failure NO_SUCH_COLLECTION */
export async function setCollectionFlag(
  store: Store,
  ids: readonly number[],
  flag: 'is_deactivated' | 'is_out_of_testing_scope',
  value: boolean,
): Promise<void> {
  await requireAllCollections(store, ids)
  await store.pool.query(`UPDATE collections SET ${flag} = $2 WHERE id = ANY ($1::integer[])`, [ids, value])
}

/** Switches redaction; switched on, kept samples and example values are deleted. @throws Failure NO_SUCH_COLLECTION */
export async function redactCollection(store: Store, id: number, isRedacted: boolean): Promise<void> {
  await requireAllCollections(store, [id])
  await usingTransaction(store.pool, async (client) => {
    await client.query(
      `UPDATE collections SET is_redacted = $2, are_samples_dropped = are_samples_dropped OR $2 WHERE id = $1`,
      [id, isRedacted],
    )
    if (!isRedacted) return
    await client.query(
      'DELETE FROM samples s USING endpoints e WHERE e.id = s.endpoint_id AND e.collection_id = $1',
      [id],
    )
    await client.query(
      `UPDATE endpoint_facts f SET detail = NULL FROM endpoints e
       WHERE e.id = f.endpoint_id AND e.collection_id = $1 AND f.detail IS NOT NULL`,
      [id],
    )
  })
}

/** A label to set; the key `envType` sets the environment instead. */
interface Label {
  keyName: string
  value: string
}

const USER = 'USER'

/**
 * Labels collections, or sets their environment.
 *
 * @throws Failure NO_SUCH_COLLECTION, INVALID_ENVIRONMENT
 */
export async function labelCollections(
  store: Store,
  ids: readonly number[],
  labels: readonly Label[],
  isReset: boolean,
): Promise<void> {
  if (ids.length === 0) return
  await requireAllCollections(store, ids)
  const environment = labels.find((label) => label.keyName === 'envType')?.value.toUpperCase()
  if (environment !== undefined && !(environments as readonly string[]).includes(environment)) {
    throw new Failure('INVALID_ENVIRONMENT', { value: environment, known: environments.join(', ') })
  }
  const now = nowSeconds()
  const own = labels.filter((label) => label.keyName !== 'envType')
  const { rows } = await store.pool.query<{ id: number; tags: CollectionTag[] }>(
    'SELECT id, tags FROM collections WHERE id = ANY ($1::integer[])',
    [ids],
  )
  for (const row of rows) {
    const kept = row.tags.filter(
      (tag) => !(isReset && tag.source === USER) && !own.some((label) => label.keyName === tag.keyName),
    )
    const tags: CollectionTag[] = [
      ...kept,
      ...own.map(({ keyName, value }) => ({ keyName, value, source: USER, lastUpdatedTs: now })),
    ]
    await store.pool.query(
      `UPDATE collections SET tags = $2, user_set_env_type = coalesce($3, CASE WHEN NOT $4 THEN user_set_env_type END)
       WHERE id = $1`,
      [row.id, JSON.stringify(tags), environment, isReset],
    )
  }
}
