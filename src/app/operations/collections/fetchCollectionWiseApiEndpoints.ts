import { endpointKeys } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Lists the endpoint keys of one collection. */
export const fetchCollectionWiseApiEndpoints: Handler<'fetchCollectionWiseApiEndpoints'> = async (
  input,
  { app, caller },
) => {
  await requireCollection(app.store, caller, input.apiCollectionId)
  const keys = await endpointKeys(app.store, input.apiCollectionId, input.state)
  return { endpoints: keys.length, listOfEndpointsInCollection: keys }
}
