export {
  addToGroup,
  type CollectionView,
  checkedName,
  collectionState,
  createGroup,
  createManualCollection,
  deleteCollections,
  describeCollection,
  endpointsOfConditions,
  findCollection,
  idOfCollection,
  labelCollections,
  lastSeenByCollection,
  listCollections,
  redactCollection,
  removeFromGroup,
  renameCollection,
  requireAllCollections,
  riskByCollection,
  sensitiveByCollection,
  setCollectionFlag,
  testedByCollection,
  updateGroup,
} from './collections/index.ts'
export { listDataTypes, loadTypeMatcher, loadTypeRules, saveDataType } from './data-type-records.ts'
export {
  callsPerAddress,
  callsPerMinute,
  countEndpointsAt,
  countTestStates,
  deleteEndpoints,
  type EndpointName,
  type EndpointOverviewView,
  type EndpointView,
  endpointInFull,
  endpointKeys,
  endpointParameters,
  endpointSamples,
  endpointStarts,
  findEndpoint,
  hasEndpoints,
  KnownEndpoints,
  latestDocument,
  listChanges,
  listEndpoints,
  listProbes,
  newEndpointsPerDay,
  type ParameterView,
  pathValues,
  sampledEndpoints,
  searchEndpoints,
  TESTED_SECONDS,
  trafficLedger,
} from './endpoints/index.ts'
export type { FindingsHook } from './engine/intake/index.ts'
export { maskUrl, maskUrlsIn, sensitiveValues } from './engine/learn/index.ts'
export type {
  DocumentedOperation,
  ExchangeOutcome,
  InventoryPort,
  LocatedEndpoint,
  Placement,
} from './engine/port.ts'
export { openInventory } from './engine/thread/index.ts'
export { openApiOf } from './openapi-export/index.ts'
export { riskKeeper } from './risk-keeper.ts'
export { userPattern } from './user-pattern.ts'
