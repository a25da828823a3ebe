import type { Handlers } from '../../handler.ts'
import { countTestStates } from './countTestStates.ts'
import { deleteApis } from './deleteApis.ts'
import { deMergeApi } from './deMergeApi.ts'
import { explainTemplate } from './explainTemplate.ts'
import { fetchChanges } from './fetchChanges.ts'
import { fetchDataTypes } from './fetchDataTypes.ts'
import { fetchNewEndpointsTrendForHostCollections } from './fetchNewEndpointsTrendForHostCollections.ts'
import { fetchNewEndpointsTrendForNonHostCollections } from './fetchNewEndpointsTrendForNonHostCollections.ts'
import { fetchSensitiveSampleData } from './fetchSensitiveSampleData.ts'
import { getSingleEndpoint } from './getSingleEndpoint.ts'
import { loadParamsOfEndpoint } from './loadParamsOfEndpoint.ts'
import { loadRecentEndpoints } from './loadRecentEndpoints.ts'
import { mergeApis } from './mergeApis.ts'
import { pinLiteralApi } from './pinLiteralApi.ts'
import { saveCustomDataType } from './saveCustomDataType.ts'
import { searchEndpoints } from './searchEndpoints.ts'

/** Endpoint details, templates, changes, data types, ledger. */
export const inventoryHandlers = {
  countTestStates,
  deMergeApi,
  deleteApis,
  explainTemplate,
  fetchChanges,
  fetchDataTypes,
  fetchNewEndpointsTrendForHostCollections,
  fetchNewEndpointsTrendForNonHostCollections,
  fetchSensitiveSampleData,
  getSingleEndpoint,
  loadParamsOfEndpoint,
  loadRecentEndpoints,
  mergeApis,
  pinLiteralApi,
  saveCustomDataType,
  searchEndpoints,
} satisfies Handlers
