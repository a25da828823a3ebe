import { latestResults } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { requireEndpoint } from '../inventory/require-endpoint.ts'
import { wireLightResult } from './wire-result.ts'

/** The newest result of each test on one endpoint. */
export const fetchEndpointResults: Handler<'fetchEndpointResults'> = async (input, call) => {
  const endpoint = await requireEndpoint(input, call)
  return { testingRunResults: (await latestResults(call.app.store, endpoint)).map(wireLightResult) }
}
