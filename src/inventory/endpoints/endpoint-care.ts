import type { endpointStates } from '../../contract/vocabulary.ts'
import { Failure } from '../../kit/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import { visibleTo } from './endpoint-view.ts'
import type { EndpointName } from './list-endpoints.ts'

/** Most tags of an endpoint. */
const MOST_TAGS = 20

/** What is said of endpoints; null leaves as it is. */
interface EndpointCare {
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
  /** Empty takes the owner away. */
  readonly owner: string | null
  readonly state: (typeof endpointStates)[number] | null
}

/**
 * Sets tags, owner and state of endpoints, those that do not exist left out. What was said of paths behind a template is
 * what the template shows, so it changes with it.
 *
 * @returns how many were found
 * @throws Failure TOO_MANY_TAGS; nothing is changed then
 */
export function careForEndpoints(
  store: Store,
  names: readonly EndpointName[],
  { addTags, removeTags, owner, state }: EndpointCare,
): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT e.id FROM endpoints e WHERE e.is_listed AND (e.collection_id, e.method, e.url) IN (
         SELECT * FROM unnest($1::integer[], $2::text[], $3::text[])) ORDER BY e.id FOR KEY SHARE`,
      [
        names.map(({ apiCollectionId }) => apiCollectionId),
        names.map(({ method }) => method),
        names.map(({ url }) => url),
      ],
    )
    const ids = rows.map(({ id }) => id)
    await client.query(
      `UPDATE endpoint_care a SET
         tags = array(SELECT t FROM unnest(a.tags) AS t WHERE t <> ALL ($2::text[]) ORDER BY t),
         owner = CASE WHEN $3::text IS NULL THEN a.owner ELSE '' END,
         state = coalesce($4, a.state)
       FROM endpoints m WHERE m.id = a.endpoint_id AND m.root_id = ANY ($1::bigint[])`,
      [ids, removeTags, owner, state],
    )
    await client.query(
      `INSERT INTO endpoint_care AS a (endpoint_id, tags, owner, state)
       SELECT id, union_texts('{}', $2::text[]), coalesce($3::text, ''), coalesce($4::text, 'ACTIVE')
       FROM unnest($1::bigint[]) AS id
       ON CONFLICT (endpoint_id) DO UPDATE SET tags = union_texts(a.tags, excluded.tags),
         owner = coalesce($3, a.owner), state = coalesce($4, a.state)`,
      [ids, addTags, owner, state],
    )
    if (addTags.length > 0) await checkTags(client, ids)
    return ids.length
  })
}

/** @throws Failure TOO_MANY_TAGS of an endpoint that shows more tags than it may have */
async function checkTags(client: StoreClient, ids: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ method: string; url: string }>(
    `SELECT e.method, e.url FROM endpoints e
     WHERE e.id = ANY ($1::bigint[]) AND (SELECT count(DISTINCT t.tag) FROM endpoints m
       JOIN endpoint_care a ON a.endpoint_id = m.id CROSS JOIN LATERAL unnest(a.tags) AS t (tag)
       WHERE m.root_id = e.id) > $2
     ORDER BY e.id LIMIT 1`,
    [ids, MOST_TAGS],
  )
  if (rows[0]) throw new Failure('TOO_MANY_TAGS', { ...rows[0], most: MOST_TAGS })
}

/** Tags and owners of endpoints that the asker may see, by name, with the number of endpoints. */
export async function listEndpointTags(
  store: Store,
  visible: readonly number[] | null,
): Promise<{ tags: { name: string; count: number }[]; owners: { name: string; count: number }[] }> {
  const of = async (names: string) =>
    (
      await store.pool.query<{ name: string; count: number }>(
        `SELECT n.name, count(DISTINCT e.id) AS count
         FROM endpoint_care a JOIN endpoints m ON m.id = a.endpoint_id JOIN endpoints e ON e.id = m.root_id
         CROSS JOIN LATERAL ${names} AS n (name)
         WHERE n.name <> '' AND e.is_listed AND ${visibleTo('$1')}
         GROUP BY 1 ORDER BY 1 LIMIT 1000`,
        [visible],
      )
    ).rows
  return { tags: await of('unnest(a.tags)'), owners: await of('(VALUES (a.owner))') }
}
