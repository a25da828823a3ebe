import type { TSchema } from 'typebox'
import type { Operation } from '../operation.ts'

/**
 * What a field of a request names. `CHECKED_KINDS` are looked up before an operation runs, for callers restricted to some
 * collections; the others need no look:
 *
 * - `limited`: a filter; the operation answers only from the caller's collections, whatever is named
 * - `own`: looked for among what belongs to the caller alone
 * - `shared`: what every caller may read (tests, filters, trackers, modules, people)
 * - `free`: names nothing that is stored: a new name, a file name, a header
 */
export type IdKind = CheckedKind | 'limited' | 'own' | 'shared' | 'free'

/** Kinds that the gate resolves to a grant. */
export const checkedKinds = [
  'collection',
  'collectionName',
  'run',
  'runConfiguration',
  'execution',
  'result',
  'upload',
  'report',
  'crawl',
  'role',
  'ownRole',
  'suite',
  'channel',
  'key',
] as const

export type CheckedKind = (typeof checkedKinds)[number]

/** Kinds by field name, wherever the field is in a request. */
const byName: Readonly<Record<string, IdKind>> = {
  apiCollectionId: 'collection',
  apiCollectionIds: 'collection',
  filterCollectionsId: 'collection',
  issueSummaryFilterCollectionIds: 'collection',
  apiCollectionName: 'collectionName',
  filterCollectionNames: 'collectionName',
  testingRunHexId: 'run',
  testRunIds: 'run',
  testingRunId: 'run',
  testingRunConfigId: 'runConfiguration',
  testingRunResultSummaryHexId: 'execution',
  testingRunSummaryId: 'execution',
  earlierSummaryHexId: 'execution',
  testingRunResultSummaryHexIds: 'execution',
  latestSummaryIds: 'execution',
  testingRunResultHexId: 'result',
  testingRunResultHexIds: 'result',
  testingRunResultHexIdsMap: 'result',
  selectedTestRunResultHexIds: 'result',
  uploadId: 'upload',
  reportId: 'report',
  generatedReportId: 'report',
  crawlId: 'crawl',
  roleName: 'ownRole',
  testRoleId: 'role',
  testRoleHexId: 'role',
  testSuiteHexId: 'suite',
  selectedSlackWebhook: 'channel',
  eventId: 'limited',
  eventIds: 'limited',
  refId: 'limited',
  actor: 'limited',
  actorId: 'limited',
  actorIp: 'limited',
  actorIps: 'limited',
  actors: 'limited',
  ips: 'limited',
  testingRunPlaygroundId: 'own',
  testingRunPlaygroundHexId: 'own',
  nodeId: 'own',
  viewId: 'own',
  // The operation looks whether the rule is of a granted collection.
  ruleId: 'limited',
  apiTokenId: 'key',
  moduleIds: 'own',
  moduleName: 'own',
  worker: 'own',
  testSuiteIds: 'shared',
  selectedTests: 'shared',
  subCategoryList: 'shared',
  subCategoryNames: 'shared',
  testSubCategoryList: 'shared',
  originalTestId: 'shared',
  testId: 'shared',
  templateId: 'shared',
  templateIds: 'shared',
  filterId: 'shared',
  filterCauseId: 'limited',
  organizationName: 'free',
  projId: 'shared',
  projectId: 'shared',
  selectedModuleName: 'shared',
  miniTestingServiceName: 'shared',
  selectedMiniTestingServiceNames: 'shared',
  assignee: 'shared',
  filterAssignee: 'shared',
  collectionName: 'free',
  workflowTestId: 'free',
  testName: 'free',
  testSuiteName: 'free',
  webhookName: 'free',
  viewName: 'free',
  fileName: 'free',
  keyName: 'free',
  miniRuntimeName: 'free',
  email: 'shared',
  userEmail: 'free',
  username: 'free',
  hostname: 'free',
  name: 'free',
  names: 'free',
  key: 'free',
  apiKey: 'free',
  signingKey: 'free',
  sortKey: 'free',
}

/** Where a name means something else: by `operation.path`, list items without an index. */
const byPlace: Readonly<Record<string, IdKind>> = {
  // An empty list, or what the caller may see of a list, instead of a refusal.
  'getCollection.apiCollectionId': 'limited',
  'getCoverageInfoForCollections.apiCollectionIds': 'limited',
  'fetchApiInfosForCollection.apiCollectionIds': 'limited',
  'fetchApiInfosFromSTIs.apiCollectionIds': 'limited',
  'deleteMultipleCollections.apiCollections.id': 'collection',
  'deactivateCollections.apiCollections.id': 'collection',
  'activateCollections.apiCollections.id': 'collection',
  'importInBurp.collectionName': 'collectionName',
  'addApisToCustomCollection.collectionName': 'collectionName',
  'removeApisFromCustomCollection.collectionName': 'collectionName',
  'initiateCrawler.collectionName': 'collectionName',
  'updateUserCollections.userCollectionMap': 'shared',
  // A crawl that is gone ends the module that works on it, without an error.
  'checkCrawlStatus.crawlId': 'limited',
  'addTestRoles.roleName': 'free',
  'uploadRecordedFlow.roleName': 'own',
  'fetchRecordedLoginScreenshots.roleName': 'own',
  'deleteSlackWebhook.apiTokenId': 'channel',
  'updateCustomWebhook.id': 'channel',
  'deleteCustomWebhook.id': 'channel',
  'sendTestAlert.id': 'channel',
  'updateModuleInfo.moduleInfo.id': 'own',
  'updateModuleInfo.moduleInfo.name': 'own',
  'updateModuleInfoForHeartbeat.moduleInfo.id': 'own',
  'updateModuleInfoForHeartbeat.moduleInfo.name': 'own',
  'fetchModuleInfo.filter.id': 'shared',
  'removeThreatSuppression.id': 'shared',
  'syncCrawlWork.putBack.id': 'limited',
  'syncCrawlWork.failed.id': 'limited',
  'syncCrawlWork.added.key': 'free',
}

/** Names that a field which names something usually has. */
const ID_LIKE =
  /^(?:id|worker|actors?|ips|email|assignee|key|selected(?:Tests|SlackWebhook)|subCategoryList|testSubCategoryList)$|(?:Id|Ids|sId|IdsMap|Name|Names|name|Key|ActorIp|actorIps?|CollectionMap)$/

/** A field of a request that names something. */
interface IdField {
  /** Names from the outside in, joined by dots. */
  readonly path: string
  /** Undefined: nobody has decided yet what it names. */
  readonly kind: IdKind | undefined
}

/** The kind that a field names; undefined for fields that name nothing. */
function idKind(operation: string, path: string): IdKind | undefined {
  return byPlace[`${operation}.${path}`] ?? byName[path.slice(path.lastIndexOf('.') + 1)]
}

/** Every field of an operation's request that names something, or looks as if it did. */
export function idFields(operation: Operation): IdField[] {
  const found = new Map<string, IdField>()
  for (const [name, field] of Object.entries(operation.request)) collect(operation, name, field.schema, found)
  return [...found.values()]
}

function collect(operation: Operation, path: string, schema: TSchema, found: Map<string, IdField>): void {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, TSchema>
    items?: TSchema
    anyOf?: TSchema[]
  }
  const parts = [...(anyOf ?? []), ...(items === undefined ? [] : [items])]
  for (const part of parts) collect(operation, path, part, found)
  for (const [name, inner] of Object.entries(properties ?? {}))
    collect(operation, `${path}.${name}`, inner, found)
  if (parts.length > 0 || properties !== undefined) return
  const kind = idKind(operation.name, path)
  const name = path.slice(path.lastIndexOf('.') + 1)
  const isHexId = String((schema as { pattern?: string }).pattern ?? '').includes('{24}')
  if (kind !== undefined || isHexId || ID_LIKE.test(name)) found.set(path, { path, kind })
}

/** Whether an operation names collections, directly or as part of an endpoint's key. */
export function namesCollections(operation: Operation): boolean {
  return idFields(operation).some(({ kind }) => kind === 'collection' || kind === 'collectionName')
}
