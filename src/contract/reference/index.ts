import type { OperationName, RequestOf, ResponseOf } from '../types.ts'
import type { ReferenceAdapter } from './adapter.ts'
import { collectionLists } from './collection-lists.ts'
import { fetchAllDastScans } from './fetchAllDastScans.ts'
import { fetchApiInfosForCollection } from './fetchApiInfosForCollection.ts'
import { fetchAvailableDastModules } from './fetchAvailableDastModules.ts'
import { fetchCollectionWiseApiEndpoints } from './fetchCollectionWiseApiEndpoints.ts'
import { fetchDastScan } from './fetchDastScan.ts'
import { fetchIssuesFromResultIds } from './fetchIssuesFromResultIds.ts'
import { fetchSuspectSampleData } from './fetchSuspectSampleData.ts'
import { fetchTestingRunResultSummaries } from './fetchTestingRunResultSummaries.ts'
import { fetchTestingRunResultSummary } from './fetchTestingRunResultSummary.ts'
import { fetchTestingRunResults } from './fetchTestingRunResults.ts'
import { fetchTestResultsStatsCount } from './fetchTestResultsStatsCount.ts'
import { fetchThreatsForActor } from './fetchThreatsForActor.ts'
import { generateReportPDF } from './generateReportPDF.ts'
import { getAllCollections } from './getAllCollections.ts'
import { getAllCollectionsBasic } from './getAllCollectionsBasic.ts'
import { getAllUsersCollections } from './getAllUsersCollections.ts'
import { getCollection } from './getCollection.ts'
import { getLastSeenTrafficInfoForCollections } from './getLastSeenTrafficInfoForCollections.ts'
import { getRiskScoreInfo } from './getRiskScoreInfo.ts'
import { getSensitiveInfoForCollections } from './getSensitiveInfoForCollections.ts'
import { retrieveAllCollectionTests } from './retrieveAllCollectionTests.ts'
import { saveCrawlerUrl } from './saveCrawlerUrl.ts'
import { stopCrawler } from './stopCrawler.ts'
import { updateCrawlerStatus } from './updateCrawlerStatus.ts'
import { uploadCrawlerData } from './uploadCrawlerData.ts'
import { uploadRecordedFlow } from './uploadRecordedFlow.ts'

const adapters: { readonly [Name in OperationName]?: ReferenceAdapter } = {
  ...collectionLists,
  fetchAllDastScans,
  fetchApiInfosForCollection,
  fetchAvailableDastModules,
  fetchCollectionWiseApiEndpoints,
  fetchDastScan,
  fetchIssuesFromResultIds,
  fetchSuspectSampleData,
  fetchTestResultsStatsCount,
  fetchTestingRunResults,
  fetchTestingRunResultSummaries,
  fetchTestingRunResultSummary,
  fetchThreatsForActor,
  generateReportPDF,
  getAllCollections,
  getAllCollectionsBasic,
  getAllUsersCollections,
  getCollection,
  getLastSeenTrafficInfoForCollections,
  getRiskScoreInfo,
  getSensitiveInfoForCollections,
  retrieveAllCollectionTests,
  saveCrawlerUrl,
  stopCrawler,
  updateCrawlerStatus,
  uploadCrawlerData,
  uploadRecordedFlow,
}

/** What absent fields of an operation mean to clients of the reference; fields that are not here take their defaults. */
export function referenceDefaults(name: OperationName): Record<string, unknown> {
  return (adapters[name]?.defaults ?? {}) as Record<string, unknown>
}

/** An answer in the reference's shape; most operations answer as the specification says. */
export function referenceAnswer<Name extends OperationName>(
  name: Name,
  body: ResponseOf<Name>,
  request: RequestOf<Name>,
): unknown {
  const answer = adapters[name]?.answer
  return answer === undefined ? body : answer(body as never, request as never)
}
