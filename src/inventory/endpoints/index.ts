export type { BucketView, MinuteCalls } from './call-stats.ts'
export { callsPerAddress, callsPerMinute } from './call-stats.ts'
export type { ChangeSearch, ChangeView } from './changes.ts'
export { listChanges, newEndpointsPerDay } from './changes.ts'
export type { CredentialView, ParameterView } from './endpoint-detail.ts'
export { endpointInFull, endpointParameters } from './endpoint-detail.ts'
export type { EndpointOverviewView, EndpointView } from './endpoint-view.ts'
export { visibleTo } from './endpoint-view.ts'
export type { EndpointAddress, PathValue } from './known-endpoints.ts'
export { KnownEndpoints, pathValues } from './known-endpoints.ts'
export { latestDocument } from './latest-document.ts'
export type { LedgerDay, ProbeView } from './ledger.ts'
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
export type { SampledEndpoint } from './samples.ts'
export { endpointSamples, sampledEndpoints } from './samples.ts'
export type { EndpointSearch } from './search-endpoints.ts'
export { searchEndpoints } from './search-endpoints.ts'
export type { TestState } from './test-state.ts'
export { countTestStates, TESTED_SECONDS } from './test-state.ts'
