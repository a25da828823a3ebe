import { endpointsOfConditions } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'

/** Previews the members that conditions would give. */
export const getEndpointsListFromConditions: Handler<'getEndpointsListFromConditions'> = async (
  input,
  { app, caller },
) => {
  const members = await endpointsOfConditions(app.store.pool, input.conditions, caller.collectionIds)
  return {
    apiCount: members.length,
    endpointsListFromConditions: members
      .slice(input.skip, input.skip + input.limit)
      .map(({ method, collection_id, url }) => ({ method, apiCollectionId: collection_id, url })),
  }
}
