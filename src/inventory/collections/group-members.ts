import { Failure, nowSeconds } from '../../kit/index.ts'
import { type GroupCondition, type Store, usingTransaction } from '../../store/index.ts'
import { checkedName, createManualCollection } from './find-or-create.ts'
import { endpointsOfConditions, requireValid } from './group-conditions.ts'
import { collectionState, idOfCollection } from './list-collections.ts'

/** Computes the members of groups anew: all groups, or one. Members added one by one stay. */
async function refreshGroupMembers(store: Store, groupId: number | null): Promise<void> {
  const { rows: groups } = await store.pool.query<{ id: number; conditions: GroupCondition[] }>(
    `SELECT id, conditions FROM collections WHERE kind = 'GROUP' AND ($1::integer IS NULL OR id = $1)`,
    [groupId],
  )
  for (const group of groups) {
    if (group.conditions.length === 0) continue
    const { endpoints: members } = await endpointsOfConditions(store.pool, group.conditions, {
      visible: null,
      endpointIds: null,
      page: null,
    })
    await usingTransaction(store.pool, async (client) => {
      await client.query(
        `DELETE FROM group_members WHERE group_id = $1 AND is_by_condition AND endpoint_id <> ALL ($2::bigint[])`,
        [group.id, members.map((member) => member.id)],
      )
      await client.query(
        `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
         SELECT $1, t.id, true FROM unnest($2::bigint[]) AS t (id) ON CONFLICT DO NOTHING`,
        [group.id, members.map((member) => member.id)],
      )
    })
  }
}

/** Makes a group by conditions. @throws Failure for a bad or taken name, INVALID_CONDITION */
export async function createGroup(
  store: Store,
  name: string,
  conditions: readonly GroupCondition[],
): Promise<number> {
  requireValid(conditions)
  const { id } = await createManualCollection(store.pool, checkedName(name), nowSeconds())
  await store.pool.query(`UPDATE collections SET kind = 'GROUP', conditions = $2 WHERE id = $1`, [
    id,
    JSON.stringify(conditions),
  ])
  await refreshGroupMembers(store, id)
  return id
}

/** Replaces the conditions of a group. @throws Failure NO_SUCH_COLLECTION, NOT_A_GROUP, AUTOMATED_GROUP_FIXED */
export async function updateGroup(
  store: Store,
  id: number,
  conditions: readonly GroupCondition[],
): Promise<void> {
  requireValid(conditions)
  await requireGroup(store, { id })
  await store.pool.query('UPDATE collections SET conditions = $2 WHERE id = $1', [
    id,
    JSON.stringify(conditions),
  ])
  await refreshGroupMembers(store, id)
}

/** An endpoint key of a request. */
interface EndpointKey {
  apiCollectionId: number
  method: string
  url: string
}

async function endpointIds(store: Store, keys: readonly EndpointKey[]): Promise<number[]> {
  if (keys.length === 0) throw new Failure('NO_APIS_GIVEN', {})
  const { rows } = await store.pool.query<{ id: number }>(
    `SELECT e.root_id AS id FROM endpoints e
     JOIN unnest($1::integer[], $2::text[], $3::text[]) AS k (collection_id, method, url)
       ON e.collection_id = k.collection_id AND e.method = k.method AND e.url = k.url
     WHERE e.root_id <> 0`,
    [keys.map((key) => key.apiCollectionId), keys.map((key) => key.method), keys.map((key) => key.url)],
  )
  return rows.map((row) => row.id)
}

/** Adds endpoints to a group by name, made when new. @returns the group's id */
export async function addToGroup(store: Store, name: string, keys: readonly EndpointKey[]): Promise<number> {
  const ids = await endpointIds(store, keys)
  if (ids.length < keys.length) throw new Failure('NO_SUCH_ENDPOINT', {})
  const id = (await idOfCollection(store, name)) ?? (await createGroup(store, checkedName(name), []))
  await requireGroup(store, { id })
  await store.pool.query(
    `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
     SELECT $1, t.id, false FROM unnest($2::bigint[]) AS t (id)
     ON CONFLICT (group_id, endpoint_id) DO UPDATE SET is_by_condition = false`,
    [id, ids],
  )
  return id
}

/** Takes endpoints out of a group that were added one by one. @returns the group's id */
export async function removeFromGroup(
  store: Store,
  name: string,
  keys: readonly EndpointKey[],
): Promise<number> {
  const ids = await endpointIds(store, keys)
  const id = await idOfCollection(store, name)
  if (id === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  await requireGroup(store, { id })
  await store.pool.query(
    'DELETE FROM group_members WHERE group_id = $1 AND endpoint_id = ANY ($2::bigint[])',
    [id, ids],
  )
  await refreshGroupMembers(store, id)
  return id
}

async function requireGroup(store: Store, { id }: { id: number }): Promise<void> {
  const group = await collectionState(store, id)
  if (group === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  if (group.kind !== 'GROUP') throw new Failure('NOT_A_GROUP', {})
  if (group.isAutomated) throw new Failure('AUTOMATED_GROUP_FIXED', {})
}
