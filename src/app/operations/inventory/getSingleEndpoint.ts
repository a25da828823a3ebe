import { endpointInFull } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { wireOverview } from '../collections/wire-endpoint.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** Shows one endpoint in full. */
export const getSingleEndpoint: Handler<'getSingleEndpoint'> = async (input, call) => {
  const { id } = await requireEndpoint(input, call)
  const endpoint = await endpointInFull(call.app, id)
  if (endpoint === undefined) throw new Failure('NO_SUCH_ENDPOINT', {})
  return {
    apiInfo: {
      ...wireOverview(endpoint, call.caller),
      riskFactors: endpoint.riskFactors,
      authSeen: endpoint.credentials,
      attributes: endpoint.attributes,
    },
  }
}
