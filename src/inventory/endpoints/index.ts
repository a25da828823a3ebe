export { callsPerAddress, callsPerMinute } from './call-stats.ts'
export { listChanges, newEndpointsPerDay } from './changes.ts'
export { careForEndpoints, listEndpointTags } from './endpoint-care.ts'
export type { ParameterView } from './endpoint-detail.ts'
export { endpointInFull, endpointParameters } from './endpoint-detail.ts'
export { bucketMinutes, endpointTraffic, latencyMinutes } from './endpoint-traffic.ts'
export type { EndpointOverviewView, EndpointView } from './endpoint-view.ts'
export { IS_SET_ASIDE } from './endpoint-view.ts'
export { KnownEndpoints, pathValues } from './known-endpoints.ts'
export { latestDocument } from './latest-document.ts'
export { listProbes, trafficLedger } from './ledger.ts'
export type { EndpointName } from './list-endpoints.ts'
export {
  countEndpointsAt,
  deleteEndpoints,
  endpointKeys,
  endpointStarts,
  findEndpoint,
  hasEndpoints,
  listEndpoints,
} from './list-endpoints.ts'
export { endpointSamples, sampledEndpoints } from './samples.ts'
export { searchEndpoints } from './search-endpoints.ts'
export { countTestStates, TESTED_SECONDS } from './test-state.ts'
