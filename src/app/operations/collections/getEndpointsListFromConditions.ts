import { endpointsOfConditions } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'

/** Previews the members that conditions would give. */
export const getEndpointsListFromConditions: Handler<'getEndpointsListFromConditions'> = async (
  input,
  { app, caller },
) => {
  const { endpoints, total } = await endpointsOfConditions(app.store.pool, input.conditions, {
    visible: caller.collectionIds,
    endpointIds: null,
    page: { skip: input.skip, limit: input.limit },
  })
  return {
    apiCount: total,
    endpointsListFromConditions: endpoints.map(({ method, collection_id, url }) => ({
      method,
      apiCollectionId: collection_id,
      url,
    })),
  }
}
