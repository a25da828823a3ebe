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
  URL_REGEX:
    '{regex: string}: found in the URL of the endpoint, in RE2 syntax: a pattern of at most 2,000 states, in URLs of at most 500,000 characters divided by them',
  PARAM: '{names: string[]}: a parameter of one of these names',
  SENSITIVE_TYPE: '{types: string[]}: one of these data types in a response',
  AUTH_TYPE: '{types: string[]}: one of these kinds of authentication',
  ACCESS_TYPE: '{types: string[]}: called by PUBLIC, PRIVATE, PARTNER or THIRD_PARTY addresses',
  API_TYPE: '{types: string[]}: REST, GRAPHQL, GRPC, SOAP or WEBSOCKET',
} as const

/** Words that stand for a parameter when they are a whole segment of an endpoint's URL. */
export const templateWords = ['INTEGER', 'FLOAT', 'STRING', 'OBJECT_ID', 'VERSIONED'] as const

/** Built-in kinds of authentication with their names for people; an operator's own kinds stand under their own names. */
export const authTypeLabels = {
  UNAUTHENTICATED: 'No authentication',
  BASIC: 'Basic',
  AUTHORIZATION_HEADER: 'Other auth scheme',
  JWT: 'JWT',
  API_TOKEN: 'API token',
  BEARER: 'Bearer token',
  API_KEY: 'API key',
  MTLS: 'Client certificate',
  SESSION_TOKEN: 'Session cookie',
  CUSTOM: 'Custom',
} as const

/** The same kinds as a list. */
export const authTypes = Object.keys(authTypeLabels) as readonly (keyof typeof authTypeLabels)[]

/** Places of a parameter with their names for people, in the order of interest: what the application made comes first. */
export const parameterPositionLabels = {
  PATH: 'Path',
  QUERY: 'Query',
  REQUEST_BODY: 'Request body',
  RESPONSE_BODY: 'Response body',
  COOKIE: 'Cookies',
  REQUEST_HEADER: 'Request headers',
  RESPONSE_HEADER: 'Response headers',
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
] as const satisfies readonly (keyof typeof parameterPositionLabels)[]

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

/** Outcomes of one item of an import. */
export const importOutcomes = ['TAKEN', 'TAKEN_WITH_WARNINGS', 'SKIPPED', 'KNOWN_BEFORE'] as const

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

/** Severities, the worst first. */
export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

/** Severities a test result can have. INFO makes no issue and is in no count. */
export const resultSeverities = [...severities, 'INFO'] as const

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
  'ACCESS_LOG',
  'OPEN_TELEMETRY',
] as const

/** Whether an endpoint is tested and listed: left out of test runs, and of lists as well. */
export const endpointStates = ['ACTIVE', 'DEACTIVATED', 'IGNORED'] as const

/** What an endpoint list can be sorted by. */
export const endpointSortKeys = [
  'url',
  'method',
  'riskScore',
  'severityScore',
  'lastSeen',
  'discoveredTimestamp',
  'callCount',
  'lastTested',
  'recentAttacks',
  'latencyP50',
  'latencyP95',
] as const

/** States of a test run and of each of its executions. */
export const runStates = ['SCHEDULED', 'RUNNING', 'COMPLETED', 'STOPPED', 'FAILED'] as const

/** How a test run was created and repeats. */
export const runTypes = ['ONE_TIME', 'RECURRING', 'CI_CD', 'CONTINUOUS_TESTING'] as const

/** What a test run can aim at; a WORKFLOW is always refused. */
export const offeredRunTargets = ['CUSTOM', 'COLLECTION_WISE', 'MULTI_COLLECTION'] as const

/** Who chose the tests of a run. The last two are synonyms: then the list holds names of categories. */
export const runSources = ['TESTING_UI', 'ASSISTANT', 'AKTO_GPT'] as const

/** What a list of test runs can be sorted by. */
export const runSortKeys = [
  'scheduleTimestamp',
  'endTimestamp',
  'pickedUpTimestamp',
  'name',
  'state',
] as const

/** Selections of the results of one execution. */
export const resultModes = [
  'VULNERABLE',
  'SECURED',
  'SKIPPED_EXEC',
  'SKIPPED_EXEC_API_REQUEST_FAILED',
  'SKIPPED_EXEC_NEED_CONFIG',
  'SKIPPED_EXEC_NO_ACTION',
  'IGNORED_ISSUES',
  'ALL',
] as const

/** What keeps a test from a verdict: the sentence in errorsList, and whether the result counts as skipped. */
export const resultErrors = {
  NO_PATH: { text: 'The endpoint has no sample', isSkip: true },
  NO_MESSAGE_WITH_AUTH_TOKEN: { text: 'No sample of the endpoint carries a token', isSkip: true },
  NO_AUTH_MECHANISM: { text: 'No authentication is configured', isSkip: false },
  API_REQUEST_FAILED: { text: 'The request got no answer', isSkip: false },
  NO_AUTH_TOKEN_FOUND: { text: 'No token was found', isSkip: false },
  EXECUTION_FAILED: { text: 'The test broke off', isSkip: false },
  INVALID_EXECUTION_BLOCK: { text: 'The execute block of the test is invalid', isSkip: true },
  NO_API_REQUEST: { text: 'The test made no request', isSkip: true },
  ATTACK_NOT_PROCESSED: { text: 'The target did not process the attack request', isSkip: false },
  ATTACKER_NOT_PROVEN: {
    text: 'The attacker was not shown to be able to use the endpoint',
    isSkip: false,
  },
  BASELINE_CHANGED: { text: 'The endpoint does not answer its original request as recorded', isSkip: false },
  COVERED_BY_BROADER_CAUSE: { text: 'A more general weakness of the endpoint explains it', isSkip: true },
  OPEN_TO_EVERYBODY: { text: 'The endpoint gives the same answer without credentials', isSkip: false },
  WRITE_NOT_REVERSIBLE: { text: 'The test writes something that Vigil could not undo', isSkip: false },
  SKIPPING_EXECUTION_BECAUSE_AUTH: { text: 'The endpoint did not pass the check of its token', isSkip: true },
  SKIPPING_EXECUTION_BECAUSE_FILTERS: { text: 'The test does not apply to the endpoint', isSkip: true },
  DEACTIVATED_ENDPOINT: { text: 'The endpoint is deactivated', isSkip: true },
  OUT_OF_TESTING_SCOPE_COLLECTION: { text: 'The collection is out of testing scope', isSkip: true },
  ROLE_NOT_FOUND: { text: 'A test role or setting that the test needs is missing', isSkip: false },
  TEST_TIMED_OUT: { text: 'The test took too long', isSkip: true },
} as const

/** What the tests of a run may write: nothing, what can be undone, or everything. */
export const writeLevels = ['READ_ONLY', 'REVERSIBLE', 'ALL'] as const

/** Kinds of answers that hint at rate limits, blocking or problems of the target during a run. */
export const answerPatterns = ['HTTP_429', 'HTTP_5XX', 'HTTP_401', 'HTTP_403', 'CLOUDFLARE'] as const

/** Conditions of a test role on an endpoint. */
export const rolePredicateTypes = [...predicateTypes, 'BELONGS_TO', 'NOT_BELONGS_TO'] as const

/** Where a test came from. */
export const testSources = ['LIBRARY', 'CUSTOM'] as const

/** Formats of test records. */
export const recordFormats = ['JSON', 'HTML', 'PDF'] as const

/** Where findings of a test are taken for false. */
export const falsePositiveScopes = ['ENDPOINT', 'COLLECTION', 'EVERYWHERE'] as const

/** Where the mistake behind an issue sits: places of one host, endpoint or parameter are one issue. */
export const causeScopes = ['host', 'collection', 'endpoint', 'parameter'] as const

export const issueStatuses = ['OPEN', 'IGNORED', 'FIXED'] as const

/** Whether the last test of an issue came to a verdict. */
export const verificationStates = ['VERIFIED', 'NOT_VERIFIED'] as const

/** What found an issue. */
export const issueSources = ['AUTOMATED_TESTING', 'RUNTIME', 'TEST_EDITOR', 'IMPORT'] as const

/** What a list of issues can be sorted by. */
export const issueSortKeys = ['severity', 'creationTime', 'lastSeen'] as const

/** Lengths of the buckets of a chart of issues. */
export const issueBuckets = ['day', 'week', 'month'] as const

/** How the keys of a trend of issues count. */
export const trendKeys = ['dayOfYear', 'weekOfYear', 'monthOfYear'] as const

/** States of a report. */
export const reportStatuses = ['IN_PROGRESS', 'COMPLETED', 'ERROR'] as const

/** What is known of a channel besides how a message looks there, which `src/alerts/channels/` says. */
interface WebhookTypeRow {
  /** As it is stored. */
  readonly kind: string
  readonly label: string
  /** The field of its address in a form. */
  readonly address: { readonly label: string; readonly hint: string; readonly placeholder: string }
  /** Whether it takes further headers and a key for signatures. */
  readonly isForPrograms: boolean
}

const webhookAddress = {
  label: 'Address of the incoming webhook',
  hint: 'Stored sealed; shown masked from then on.',
} as const

/** Channels of alerts by their words on the wire; DEFAULT is the generic webhook. */
export const webhookTypeTable = {
  DEFAULT: {
    kind: 'WEBHOOK',
    label: 'Webhook',
    address: { ...webhookAddress, placeholder: 'https://hooks.example.com/vigil' },
    isForPrograms: true,
  },
  SLACK: {
    kind: 'SLACK',
    label: 'Slack',
    address: { ...webhookAddress, placeholder: 'https://hooks.slack.com/services/…' },
    isForPrograms: false,
  },
  MICROSOFT_TEAMS: {
    kind: 'TEAMS',
    label: 'Microsoft Teams',
    address: { ...webhookAddress, placeholder: 'https://….logic.azure.com/workflows/…' },
    isForPrograms: false,
  },
  MAIL: {
    kind: 'MAIL',
    label: 'Mail',
    address: {
      label: 'E-mail address',
      hint: 'Sent by the mail server of this installation (VIGIL_SMTP_URL).',
      placeholder: 'security@example.org',
    },
    isForPrograms: false,
  },
} as const satisfies Record<string, WebhookTypeRow>

/** Word of a channel on the wire. */
export type WebhookType = keyof typeof webhookTypeTable

/** Words of the channels on the wire. */
export const webhookTypes = Object.keys(webhookTypeTable) as readonly WebhookType[]

/** What channels of alerts can be told of. */
export const webhookOptions = ['TESTING_RUN_RESULTS', 'NEW_ISSUES', 'NEW_THREATS', 'ACTOR_STATUS'] as const

/** States of a message to another system. */
export const messageStates = ['GATHERING', 'WAITING', 'DONE', 'FAILED'] as const

/** Types of trackers that tickets are made in. */
export const trackerTypes = ['GITHUB', 'JIRA'] as const

/** Statuses of a malicious event. */
export const eventStatuses = ['ACTIVE', 'UNDER_REVIEW', 'IGNORED'] as const

/** Whether a filter inspects traffic: DRAFT was never switched on since it was saved so. */
export const filterStates = ['ON', 'OFF', 'DRAFT'] as const

export type FilterState = (typeof filterStates)[number]

/** Lengths of the buckets of counts over time. */
export const threatBuckets = ['MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH'] as const

export type ThreatBucket = (typeof threatBuckets)[number]

/** One message, or the message that made a rule of counts fire. */
export const eventTypes = ['SINGLE', 'AGGREGATED'] as const

/** What kind of detector raised an event. */
export const detectorTypes = ['Rule-Based', 'Anomaly'] as const

/** What an event speaks of. */
export const eventLabels = ['threat', 'guardrail'] as const

/** Statuses of a threat actor that the dashboard offers; others of the same form are kept too. */
export const actorStatuses = ['active', 'blocked', 'mitigated', 'ignored'] as const

/** Why gateways do not enforce that an actor is blocked. */
export const enforcementGaps = ['NO_ADDRESS', 'RANGE', 'TRUSTED_PROXY', 'TIME_IS_OVER'] as const

export const crawlStatuses = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'STOP_REQUESTED',
  'STOPPED',
] as const

/** Statuses that a crawler module can report. */
export const reportedCrawlStatuses = ['RUNNING', 'COMPLETED', 'FAILED', 'STOPPED'] as const

/** What a crawl does with actions that may do harm: never, when nothing else is left, or as any other. */
export const harmfulActionModes = ['AVOID', 'LAST', 'ALLOW'] as const

export const crawlWorkKinds = ['load', 'explore', 'probe'] as const

/** What facts are about that processes of one crawl share. */
export const crawlFactKinds = [
  'draft',
  'kind',
  'probed',
  'write',
  'written',
  'signature',
  'done',
  'state',
  'explored',
  'queued',
  'fruitful',
  'routed',
  'left',
  'read',
  'sibling',
  'avoided',
  'look',
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

/** Whose shapes the interface answers in: the specification's, or those of the reference platform's own clients. */
const compatibilities = ['specification', 'reference'] as const

/** One of {@link compatibilities}. */
export type Compatibility = (typeof compatibilities)[number]

/** Whether an endpoint was tested in the last 30 days, and why not; the first that applies. */
export const testStates = [
  'TESTED',
  'OUTDATED',
  'OUT_OF_SCOPE',
  'NOT_VERIFIED',
  'NEEDS_CONFIGURATION',
  'SKIPPED',
  'NEVER_RUN',
] as const

/** What became of a finding between two executions. */
export const findingChanges = ['NEW', 'STILL_THERE', 'FIXED', 'NOT_VERIFIED'] as const

/** What the stream of changes tells of, each with the lists of the dashboard that it may outdate. */
export const changeTopics = ['inventory', 'imports', 'runs', 'issues', 'crawls', 'threats'] as const

/** One of {@link changeTopics}. */
export type ChangeTopic = (typeof changeTopics)[number]

/** What is stored for a time that the settings of the server or the organisation say. */
export const keptKinds = [
  'SAMPLES',
  'CALLS',
  'ADDRESSES',
  'COUNTERS',
  'UNKNOWN_PATHS',
  'IMPORTS',
  'CRAWLS',
  'AUDIT_LOG',
  'TEST_RESULTS',
  'REQUEST_LOG',
] as const

/** What an identity has at an endpoint, as a filter of the access matrix. */
export const accessStates = ['REACHED', 'REFUSED', 'UNKNOWN', 'DEVIATES'] as const
