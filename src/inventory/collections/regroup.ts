import { type GroupCondition, type Store, usingTransaction } from '../../store/index.ts'
import { endpointsOfConditions } from './group-conditions.ts'

export async function groupsByCondition(
  store: Store,
): Promise<{ id: number; conditions: readonly GroupCondition[] }[]> {
  const { rows } = await store.pool.query<{ id: number; conditions: GroupCondition[] }>(
    `SELECT id, conditions FROM collections WHERE kind = 'GROUP' AND conditions <> '[]' ORDER BY id`,
  )
  return rows
}

/** Judges some endpoints anew by the conditions of all groups: they join those they meet, and leave the others. */
export async function regroup(store: Store, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return
  for (const { id, conditions } of await groupsByCondition(store)) {
    const { endpoints: members } = await endpointsOfConditions(store.pool, conditions, {
      visible: null,
      endpointIds,
      page: null,
    })
    const memberIds = members.map((member) => member.id)
    await usingTransaction(store.pool, async (client) => {
      await client.query(
        `DELETE FROM group_members WHERE group_id = $1 AND is_by_condition AND endpoint_id = ANY ($2::bigint[])
           AND endpoint_id <> ALL ($3::bigint[])`,
        [id, endpointIds, memberIds],
      )
      await client.query(
        `INSERT INTO group_members (group_id, endpoint_id, is_by_condition)
         SELECT g.id, e.id, true FROM collections g, endpoints e
         WHERE g.id = $1 AND e.id = ANY ($2::bigint[]) AND g.conditions = $3::jsonb
         ORDER BY e.id ON CONFLICT DO NOTHING`,
        [id, memberIds, JSON.stringify(conditions)],
      )
    })
  }
}
