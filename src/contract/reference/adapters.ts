import type { ApiCollection, TestRunSummary } from '../records.ts'
import type { OperationName, RequestOf, ResponseOf } from '../types.ts'
import { issueStatuses } from '../vocabulary.ts'
import { metadataJson } from './metadata-json.ts'
import { referenceCollection } from './reference-collection.ts'

/** What an operation reads and answers differently for clients of the reference platform. */
interface ReferenceAdapter<Name extends OperationName> {
  /** What absent fields without a default mean to these clients. */
  readonly defaults?: Partial<RequestOf<Name>>
  /** The answer in the shape that these clients read, made of the specification's. */
  readonly answer?: (body: ResponseOf<Name>, request: RequestOf<Name>) => unknown
}

/** A map with its values read back from the texts that the specification wants. */
function mapValues<Value>(
  map: Readonly<Record<string, string>>,
  read: (text: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, text]) => [key, read(text)]))
}

/** Collections with lists for tags, conditions and environment. */
function withLists<Body extends { readonly apiCollections: ApiCollection[] }>(body: Body): unknown {
  return { ...body, apiCollections: body.apiCollections.map(referenceCollection) }
}

/** Only what belongs to results or executions, nothing else of the wide object. */
function only<Body extends object>(...names: readonly (keyof Body)[]): (body: Body) => unknown {
  return (body) => Object.fromEntries(names.map((name) => [name, body[name]]))
}

function byRun(summary: TestRunSummary): [string, TestRunSummary] {
  return [summary.testingRunHexId ?? summary.hexId, summary]
}

/** Operations without an adapter read and answer as the specification says. */
export const adapters: { readonly [Name in OperationName]?: ReferenceAdapter<Name> } = {
  addApisToCustomCollection: { answer: withLists },
  createCollection: { answer: withLists },
  createCustomCollection: { answer: withLists },
  editCollectionName: { answer: withLists },
  getAllCollections: { answer: withLists },
  removeApisFromCustomCollection: { answer: withLists },
  updateCustomCollection: { answer: withLists },
  updateEnvType: { answer: withLists },
  getCollection: { answer: (collections) => collections.map(referenceCollection) },
  getAllCollectionsBasic: {
    answer: ({ apiCollections }) => ({ apiCollections: apiCollections.map(referenceCollection) }),
  },
  // Its clients count the list.
  fetchCollectionWiseApiEndpoints: { answer: (body) => ({ ...body, endpoints: null }) },
  // Null for people without restriction.
  getAllUsersCollections: {
    answer: (body) => mapValues(body, (text) => (text === '*' ? null : (JSON.parse(text) as number[]))),
  },
  getLastSeenTrafficInfoForCollections: { answer: (body) => mapValues(body, Number) },
  getRiskScoreInfo: {
    answer: (body) => ({
      ...body,
      riskScoreOfCollectionsMap: mapValues(body.riskScoreOfCollectionsMap, Number),
    }),
  },
  getSensitiveInfoForCollections: {
    answer: (body) => ({
      ...body,
      sensitiveSubtypesInCollection: mapValues(
        body.sensitiveSubtypesInCollection,
        (text) => JSON.parse(text) as string[],
      ),
    }),
  },
  fetchApiInfosForCollection: {
    answer: (body) => {
      if (!('apiInfoList' in body)) return body
      return {
        ...body,
        apiInfoList: body.apiInfoList.map((info) => ({ ...info, violations: info.violations ?? {} })),
      }
    },
  },
  fetchTestingRunResults: {
    answer: only('testingRunResults', 'errorEnums', 'issuesDescriptionMap', 'jiraIssuesMapForResults'),
  },
  fetchTestingRunResultSummaries: {
    answer: only('testingRunResultSummaries', 'testingRun', 'testingRunType', 'workflowTest'),
  },
  // In a list as well, where the run-scan action reads state and countIssues.
  fetchTestingRunResultSummary: {
    answer: (summary) => ({ ...summary, testingRunResultSummaries: [summary] }),
  },
  fetchTestResultsStatsCount: { answer: ({ count }) => count },
  retrieveAllCollectionTests: {
    answer: (body) => ({
      ...body,
      latestTestingRunResultSummaries: Object.fromEntries(
        Object.values(body.latestTestingRunResultSummaries ?? {}).map(byRun),
      ),
    }),
  },
  fetchIssuesFromResultIds: { defaults: { issueStatusQuery: [...issueStatuses] } },
  // In the text form of the reference's database, out of which its pages cut the id.
  generateReportPDF: { answer: ({ generatedReportId }) => `BsonObjectId{value=${generatedReportId}}` },
  fetchSuspectSampleData: {
    answer: (body) => ({
      ...body,
      maliciousEvents: body.maliciousEvents?.map((event) => ({
        ...event,
        metadata: metadataJson(event.metadata),
      })),
    }),
  },
  fetchThreatsForActor: {
    answer: (body) => ({
      ...body,
      actorActivities: body.actorActivities?.map((one) => ({ ...one, metadata: metadataJson(one.metadata) })),
    }),
  },
  fetchAllDastScans: {
    defaults: { includeAllStatuses: true },
    answer: ({ crawlerRuns }) => crawlerRuns,
  },
  fetchAvailableDastModules: { answer: ({ availableModules }) => availableModules },
  fetchDastScan: { answer: ({ crawlerUrls }) => crawlerUrls },
  saveCrawlerUrl: { answer: (_body, { crawlId }) => crawlId },
  stopCrawler: { answer: (_body, { crawlId }) => ({ crawlId }) },
  updateCrawlerStatus: {
    answer: (_body, { crawlId, status, errorMessage }) => ({ crawlId, status, errorMessage }),
  },
  uploadCrawlerData: { answer: (_body, { apiCollectionId }) => ({ apiCollectionId }) },
  uploadRecordedFlow: { defaults: { roleName: 'ATTACKER_TOKEN_ALL' } },
}
