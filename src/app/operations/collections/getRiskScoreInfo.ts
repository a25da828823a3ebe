import { riskByCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { byId } from './wire-collection.ts'

/** Tells the risk score of each collection. */
export const getRiskScoreInfo: Handler<'getRiskScoreInfo'> = async (_input, { app, caller }) => {
  const { scores, criticalEndpoints } = await riskByCollection(app.store, { ids: caller.collectionIds })
  return { riskScoreOfCollectionsMap: byId(scores, String), criticalEndpointsCount: criticalEndpoints }
}
