import type { Handlers } from '../../handler.ts'
import { activateCollections } from './activateCollections.ts'
import { addApisToCustomCollection } from './addApisToCustomCollection.ts'
import { createCollection } from './createCollection.ts'
import { createCustomCollection } from './createCustomCollection.ts'
import { deactivateCollections } from './deactivateCollections.ts'
import { deleteCollection } from './deleteCollection.ts'
import { deleteMultipleCollections } from './deleteMultipleCollections.ts'
import { editCollectionName } from './editCollectionName.ts'
import { fetchApiCallStats } from './fetchApiCallStats.ts'
import { fetchApiInfosForCollection } from './fetchApiInfosForCollection.ts'
import { fetchApiInfosFromSTIs } from './fetchApiInfosFromSTIs.ts'
import { fetchCollectionWiseApiEndpoints } from './fetchCollectionWiseApiEndpoints.ts'
import { fetchEndpointsCount } from './fetchEndpointsCount.ts'
import { fetchIpLevelApiCallStats } from './fetchIpLevelApiCallStats.ts'
import { fetchOpenApiSchema } from './fetchOpenApiSchema.ts'
import { fetchPostmanImportLogs } from './fetchPostmanImportLogs.ts'
import { fetchSampleData } from './fetchSampleData.ts'
import { fetchSwaggerImportLogs } from './fetchSwaggerImportLogs.ts'
import { generateOpenApiFile } from './generateOpenApiFile.ts'
import { getAllCollections } from './getAllCollections.ts'
import { getAllCollectionsBasic } from './getAllCollectionsBasic.ts'
import { getAllUsersCollections } from './getAllUsersCollections.ts'
import { getCollection } from './getCollection.ts'
import { getCoverageInfoForCollections } from './getCoverageInfoForCollections.ts'
import { getEndpointsListFromConditions } from './getEndpointsListFromConditions.ts'
import { getLastSeenTrafficInfoForCollections } from './getLastSeenTrafficInfoForCollections.ts'
import { getRiskScoreInfo } from './getRiskScoreInfo.ts'
import { getSensitiveInfoForCollections } from './getSensitiveInfoForCollections.ts'
import { getSeveritiesCountPerCollection } from './getSeveritiesCountPerCollection.ts'
import { getSeverityInfoForCollections } from './getSeverityInfoForCollections.ts'
import { redactCollection } from './redactCollection.ts'
import { removeApisFromCustomCollection } from './removeApisFromCustomCollection.ts'
import { saveCollectionDescription } from './saveCollectionDescription.ts'
import { toggleCollectionsOutOfTestScope } from './toggleCollectionsOutOfTestScope.ts'
import { updateCustomCollection } from './updateCustomCollection.ts'
import { updateEnvType } from './updateEnvType.ts'

/** Collections, their endpoints, statistics and documents. */
export const collectionHandlers = {
  activateCollections,
  addApisToCustomCollection,
  createCollection,
  createCustomCollection,
  deactivateCollections,
  deleteCollection,
  deleteMultipleCollections,
  editCollectionName,
  fetchApiCallStats,
  fetchApiInfosForCollection,
  fetchApiInfosFromSTIs,
  fetchCollectionWiseApiEndpoints,
  fetchEndpointsCount,
  fetchIpLevelApiCallStats,
  fetchOpenApiSchema,
  fetchPostmanImportLogs,
  fetchSampleData,
  fetchSwaggerImportLogs,
  generateOpenApiFile,
  getAllCollections,
  getAllCollectionsBasic,
  getAllUsersCollections,
  getCollection,
  getCoverageInfoForCollections,
  getEndpointsListFromConditions,
  getLastSeenTrafficInfoForCollections,
  getRiskScoreInfo,
  getSensitiveInfoForCollections,
  getSeveritiesCountPerCollection,
  getSeverityInfoForCollections,
  redactCollection,
  removeApisFromCustomCollection,
  saveCollectionDescription,
  toggleCollectionsOutOfTestScope,
  updateCustomCollection,
  updateEnvType,
} satisfies Handlers
