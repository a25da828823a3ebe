import type { CollectionKind, CollectionTag, GroupCondition, Store } from '../../store/index.ts'
import { IS_IGNORED } from '../endpoints/endpoint-view.ts'

/** A collection as lists show it. */
export interface CollectionView {
  id: number
  name: string
  hostName: string | null
  kind: CollectionKind
  vxlanId: number
  description: string | null
  envType: string | null
  userSetEnvType: string | null
  tags: CollectionTag[]
  conditions: GroupCondition[]
  isRedacted: boolean
  isDeactivated: boolean
  isOutOfTestingScope: boolean
  isAutomated: boolean
  areSamplesDropped: boolean
  createdAt: number
  endpointCount: number
  /** How many of these people ignore. */
  ignoredCount: number
}

/** Which collections: `ids` null = all. */
export interface CollectionSelection {
  ids: readonly number[] | null
}

/** Ignored endpoints that are shown, by collection and by group. Few endpoints are cared for, so these are looked at first. */
const IGNORED_BY_COLLECTION = `SELECT x.id, count(*) AS count
  FROM (SELECT e.id AS endpoint, e.collection_id AS id FROM endpoints e WHERE e.is_listed AND ${IS_IGNORED}
        UNION
        SELECT e.id, g.group_id FROM endpoints e JOIN group_members g ON g.endpoint_id = e.id
        WHERE e.is_listed AND ${IS_IGNORED}) x
  GROUP BY x.id`

/** Collections by ascending id, with the number of endpoints shown in each (of groups: members). */
export async function listCollections(store: Store, { ids }: CollectionSelection): Promise<CollectionView[]> {
  const { rows } = await store.pool.query<CollectionView>(
    `SELECT c.id, c.name, c.host_name AS "hostName", c.kind, c.vxlan_id AS "vxlanId", c.description,
       coalesce(c.user_set_env_type, c.env_type) AS "envType", c.user_set_env_type AS "userSetEnvType", c.tags,
       c.conditions, c.is_redacted AS "isRedacted", c.is_deactivated AS "isDeactivated",
       c.is_out_of_testing_scope AS "isOutOfTestingScope", c.is_automated AS "isAutomated",
       c.are_samples_dropped AS "areSamplesDropped", c.created_at AS "createdAt",
       (CASE WHEN c.kind = 'GROUP'
         THEN (SELECT count(*) FROM group_members g WHERE g.group_id = c.id AND NOT EXISTS (
           SELECT FROM endpoints x WHERE x.id = g.endpoint_id AND x.root_id <> x.id))
         ELSE (SELECT count(*) FROM endpoints e WHERE e.collection_id = c.id AND e.is_listed)
       END)::integer AS "endpointCount",
       coalesce(i.count, 0)::integer AS "ignoredCount"
     FROM collections c LEFT JOIN (${IGNORED_BY_COLLECTION}) i ON i.id = c.id
     WHERE $1::integer[] IS NULL OR c.id = ANY ($1)
     ORDER BY c.id`,
    [ids],
  )
  return rows
}

/** One collection, or undefined. */
export async function findCollection(store: Store, id: number): Promise<CollectionView | undefined> {
  return (await listCollections(store, { ids: [id] }))[0]
}

/** Kind and state of a collection, for the checks that most operations begin with. */
export async function collectionState(
  store: Store,
  id: number,
): Promise<Pick<CollectionView, 'kind' | 'isDeactivated' | 'isRedacted' | 'isAutomated'> | undefined> {
  const { rows } = await store.pool.query<
    Pick<CollectionView, 'kind' | 'isDeactivated' | 'isRedacted' | 'isAutomated'>
  >(
    `SELECT kind, is_deactivated AS "isDeactivated", is_redacted AS "isRedacted", is_automated AS "isAutomated"
     FROM collections WHERE id = $1`,
    [id],
  )
  return rows[0]
}

/** The id of the collection with this name, surrounding blanks aside; undefined when there is none. */
export async function idOfCollection(store: Store, name: string): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ id: number }>('SELECT id FROM collections WHERE name = $1', [
    name.trim(),
  ])
  return rows[0]?.id
}
