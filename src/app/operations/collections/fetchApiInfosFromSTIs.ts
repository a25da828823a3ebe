import { endpointStarts } from '../../../inventory/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { maySee, requireCollection } from '../../require-collection.ts'

/** Collections of one batch at the most. */
const MAX_BATCH = 300

async function itemsOf(id: number, { app }: Call) {
  return (await endpointStarts(app.store, id)).map(({ startedAt, parameterCount, ...key }) => ({
    _id: key,
    startTs: startedAt,
    changesCount: parameterCount,
  }))
}

/** Lists the endpoints of the inventory with their first time. */
export const fetchApiInfosFromSTIs: Handler<'fetchApiInfosFromSTIs'> = async (input, call) => {
  if (input.apiCollectionIds !== null) {
    const ids = input.apiCollectionIds.slice(0, MAX_BATCH).filter((id) => maySee(call.caller, id))
    const lists = await Promise.all(ids.map(async (id) => [String(id), await itemsOf(id, call)] as const))
    return { listByCollection: Object.fromEntries(lists) }
  }
  const id = input.apiCollectionId ?? 0
  await requireCollection(call.app.store, call.caller, id)
  return { list: await itemsOf(id, call) }
}
