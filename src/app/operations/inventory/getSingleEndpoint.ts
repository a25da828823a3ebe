import { endpointCredentials } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { wireOverview } from '../collections/wire-endpoint.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** Shows one endpoint in full. */
export const getSingleEndpoint: Handler<'getSingleEndpoint'> = async (input, call) => {
  await call.app.inventory.settle()
  const endpoint = await requireEndpoint(input, call)
  return {
    apiInfo: {
      ...wireOverview(endpoint, call.caller),
      riskFactors: endpoint.riskFactors,
      authSeen: await endpointCredentials(call.app.store, endpoint.id),
      attributes: endpoint.attributes,
    },
  }
}
