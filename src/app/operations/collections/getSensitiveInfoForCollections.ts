import { sensitiveByCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { byId } from './wire-collection.ts'

/** Lists the sensitive data types found, per collection. */
export const getSensitiveInfoForCollections: Handler<'getSensitiveInfoForCollections'> = async (
  _input,
  { app, caller },
) => {
  const { types, endpointsInResponse } = await sensitiveByCollection(app.store, { ids: caller.collectionIds })
  return {
    sensitiveSubtypesInCollection: byId(types, (list) => JSON.stringify(list)),
    sensitiveUrlsInResponse: endpointsInResponse,
  }
}
