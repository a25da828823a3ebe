/*
 * The closed lists of words that the interface uses. Nothing here imports anything, so that a browser can have them.
 */

/** HTTP methods as stored; a method outside the list is stored as OTHER. */
export const httpMethods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'OTHER',
  'TRACK',
  'CONNECT',
  'WS',
] as const

/** Names of environments, as envType and userSetEnvType carry them. */
export const environments = [
  'STAGING',
  'PRODUCTION',
  'QA',
  'DEV',
  'INTEG',
  'UAT',
  'PREPROD',
  'INTERNAL',
] as const

/** Values of `apiAccessTypes`. */
export const accessTypes = ['PUBLIC', 'PRIVATE', 'PARTNER', 'THIRD_PARTY'] as const

/** Values of `apiType`. */
export const apiTypes = ['REST', 'GRAPHQL', 'GRPC', 'SOAP', 'WEBSOCKET'] as const

/** Labels of the buckets of calls per address and window, lowest first. */
export const bucketLabels = [
  'b1',
  'b2',
  'b3',
  'b4',
  'b5',
  'b6',
  'b7',
  'b8',
  'b9',
  'b10',
  'b11',
  'b12',
  'b13',
  'b14',
] as const

/** Highest number of calls of each bucket but the last, which has no upper end. */
export const bucketEnds = [
  10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 35_000, 50_000, 100_000,
] as const

/** States of an upload. */
export const uploadStatuses = ['IN_PROGRESS', 'SUCCEEDED', 'FAILED'] as const

/** What an import takes over: everything, or only what was parsed without problems. */
export const importTypes = ['ONLY_SUCCESSFUL_APIS', 'ALL_APIS'] as const

/** Kinds of condition and the data each reads. */
export const conditionTypes = {
  CUSTOM: '{apisList: endpoint key[]}: exactly these endpoints',
  ALL: '{}: every endpoint',
  COLLECTION: '{apiCollectionIds: integer[]}: endpoints of these collections',
  METHOD: '{methods: string[]}',
  HOST_REGEX: '{regex: string}: found in the host name of the collection or of an absolute URL',
  URL_REGEX: '{regex: string}: found in the URL of the endpoint',
  PARAM: '{names: string[]}: a parameter of one of these names',
  SENSITIVE_TYPE: '{types: string[]}: one of these data types in a response',
  AUTH_TYPE: '{types: string[]}: one of these kinds of authentication',
  ACCESS_TYPE: '{types: string[]}: called by PUBLIC, PRIVATE, PARTNER or THIRD_PARTY addresses',
  API_TYPE: '{types: string[]}: REST, GRAPHQL, GRPC, SOAP or WEBSOCKET',
} as const

/** Places of a parameter. */
export const parameterPositions = [
  'REQUEST_HEADER',
  'COOKIE',
  'QUERY',
  'PATH',
  'REQUEST_BODY',
  'RESPONSE_HEADER',
  'RESPONSE_BODY',
] as const

/** One change of the inventory. */
export const changeKinds = [
  'NEW_ENDPOINT',
  'NEW_PARAMETER',
  'NEW_SENSITIVE_DATA',
  'NEW_AUTH_TYPE',
  'NEW_ACCESS_TYPE',
  'TEMPLATE_MERGED',
  'TEMPLATE_SPLIT',
  'TEMPLATE_PINNED',
] as const

/** Formats an import can have. */
export const importFormats = [
  'HAR',
  'OPEN_API',
  'POSTMAN',
  'BURP_XML',
  'CURL',
  'RAW_HTTP',
  'SAMPLE_MESSAGES',
] as const

/** Outcomes of one item of an import. */
export const importOutcomes = ['TAKEN', 'TAKEN_WITH_WARNINGS', 'SKIPPED'] as const

/** Positions at which a data type may count as sensitive. */
export const sensitivePositions = [
  'REQUEST_HEADER',
  'REQUEST_PAYLOAD',
  'RESPONSE_HEADER',
  'RESPONSE_PAYLOAD',
] as const

/** Predicates on a key or a value. */
export const predicateTypes = [
  'REGEX',
  'STARTS_WITH',
  'ENDS_WITH',
  'EQUALS_TO',
  'CONTAINS',
  'IS_NUMBER',
] as const

/** Severities of a data type. */
export const dataTypeSeverities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

/** Sources of traffic as the ledger and the endpoints name them. */
export const dataSources = [
  'HAR',
  'PCAP',
  'MIRRORING',
  'SDK',
  'OTHER',
  'POSTMAN',
  'OPEN_API',
  'BURP',
  'IMPERVA',
  'WIZ',
  'CRAWLER',
] as const

/** What an endpoint list can be sorted by. */
export const endpointSortKeys = [
  'url',
  'method',
  'riskScore',
  'severityScore',
  'lastSeen',
  'discoveredTimestamp',
  'callCount',
] as const

/** Roles from the least to the most powerful. */
export const roles = ['GUEST', 'MEMBER', 'ADMIN'] as const

/** Kinds of API key. EXTERNAL_API opens everything that is not session-only; the others only what names them. */
export const keyKinds = ['EXTERNAL_API', 'CICD', 'BURP'] as const

/** Groups of operations, in the order of the reference page. */
export const groups = {
  collections: 'Collections and discovery',
  inventory: 'Inventory and endpoint details',
  imports: 'Imports and live traffic',
  'test-runs': 'Test runs',
  issues: 'Issues and results',
  threat: 'Threat detection',
  crawler: 'Crawler',
  helpers: 'Burp and recorded-flow helpers',
  account: 'Account, users and keys',
} as const
