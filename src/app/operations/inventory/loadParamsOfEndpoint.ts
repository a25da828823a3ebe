import { type ParameterRecord, parameterDisplayName } from '../../../contract/index.ts'
import { type EndpointView, endpointParameters, type ParameterView } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** Records of one answer. */
const MAX_RECORDS = 5000

function wireParameter(endpoint: EndpointView, view: ParameterView): ParameterRecord {
  return {
    apiCollectionId: endpoint.collectionId,
    url: endpoint.url,
    method: endpoint.method,
    responseCode: view.responseCode,
    param: view.name,
    displayName: parameterDisplayName(view.kind, view.name, endpoint.url),
    position: view.kind as ParameterRecord['position'],
    isHeader: view.kind === 'REQUEST_HEADER' || view.kind === 'RESPONSE_HEADER',
    isUrlParam: view.kind === 'PATH',
    isQueryParam: view.kind === 'QUERY',
    subTypeString: view.valueType,
    sensitive: view.isSensitive,
    count: view.count,
    timestamp: view.firstSeen,
    lastSeen: view.lastSeen,
    examples: view.detail?.examples ?? [],
    minValue: view.detail?.min ?? null,
    maxValue: view.detail?.max ?? null,
    distinctValues: view.detail?.distinct ?? null,
    route: view.detail?.route ?? null,
  }
}

/** Lists the parameters of an endpoint with their types. */
export const loadParamsOfEndpoint: Handler<'loadParamsOfEndpoint'> = async (input, call) => {
  const endpoint = await requireEndpoint(input, call)
  const views = await endpointParameters(call.app, endpoint.id, MAX_RECORDS + 1)
  return {
    data: {
      params: views.slice(0, MAX_RECORDS).map((view) => wireParameter(endpoint, view)),
      truncated: views.length > MAX_RECORDS,
    },
  }
}
