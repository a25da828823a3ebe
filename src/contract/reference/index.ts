import type { OperationName, RequestOf, ResponseOf } from '../types.ts'
import type { ReferenceAdapter } from './adapter.ts'
import { collectionAnswers } from './collections.ts'
import { eventAnswers } from './events.ts'
import { fetchAllDastScans } from './fetchAllDastScans.ts'
import { fetchApiInfosForCollection } from './fetchApiInfosForCollection.ts'
import { fetchAvailableDastModules } from './fetchAvailableDastModules.ts'
import { fetchDastScan } from './fetchDastScan.ts'
import { fetchIssuesFromResultIds } from './fetchIssuesFromResultIds.ts'
import { fetchTestingRunResultSummary } from './fetchTestingRunResultSummary.ts'
import { fetchTestResultsStatsCount } from './fetchTestResultsStatsCount.ts'
import { generateReportPDF } from './generateReportPDF.ts'
import { getAllCollectionsBasic } from './getAllCollectionsBasic.ts'
import { getAllUsersCollections } from './getAllUsersCollections.ts'
import { getLastSeenTrafficInfoForCollections } from './getLastSeenTrafficInfoForCollections.ts'
import { getRiskScoreInfo } from './getRiskScoreInfo.ts'
import { getSensitiveInfoForCollections } from './getSensitiveInfoForCollections.ts'
import { resultAnswers } from './results.ts'
import { retrieveAllCollectionTests } from './retrieveAllCollectionTests.ts'
import { saveCrawlerUrl } from './saveCrawlerUrl.ts'
import { stopCrawler } from './stopCrawler.ts'
import { updateCrawlerStatus } from './updateCrawlerStatus.ts'
import { uploadCrawlerData } from './uploadCrawlerData.ts'
import { uploadRecordedFlow } from './uploadRecordedFlow.ts'

const adapters: { readonly [Name in OperationName]?: ReferenceAdapter } = {
  ...collectionAnswers,
  ...eventAnswers,
  ...resultAnswers,
  fetchAllDastScans,
  fetchApiInfosForCollection,
  fetchAvailableDastModules,
  fetchDastScan,
  fetchIssuesFromResultIds,
  fetchTestResultsStatsCount,
  fetchTestingRunResultSummary,
  generateReportPDF,
  getAllCollectionsBasic,
  getAllUsersCollections,
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
