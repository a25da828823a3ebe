import { callsPerMinute, findEndpoint } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Counts the calls of an endpoint per minute. */
export const fetchApiCallStats: Handler<'fetchApiCallStats'> = async (input, { app, caller }) => {
  await requireCollection(app.store, caller, input.apiCollectionId)
  await app.inventory.settle()
  const endpoint = await findEndpoint(app.store, input)
  const [from, to] = [Math.floor(input.startEpoch / 60), Math.floor(input.endEpoch / 60)]
  const minutes = endpoint === undefined ? [] : await callsPerMinute(app.store, endpoint.id, from, to)
  return { result: { apiCallStats: minutes.map(({ minute, count }) => ({ ts: minute, count })) } }
}
