import { type Operation, operationList, operationSchema } from '../../contract/index.ts'

/** Which operations are offered. */
export interface ToolChoice {
  /** Groups of the interface, or `all`; empty for the everyday operations of `EVERYDAY`. */
  readonly groups: readonly string[]
  /** Operations that change something are offered too. */
  readonly writes: boolean
}

/** A tool as the protocol lists it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly _meta: { readonly group: string }
}

const MAX_DESCRIPTION = 400
/** The word for every group. */
export const ALL_GROUPS = 'all'
/**
 * What is offered unless groups are chosen: what an agent needs to find an endpoint, a finding or an attack and to read
 * all about it. A hundred tools would fill the context of a model before its first question.
 */
const EVERYDAY: ReadonlySet<string> = new Set([
  ...['getAllCollectionsBasic', 'fetchApiInfosForCollection', 'searchEndpoints', 'getSingleEndpoint'],
  ...['loadParamsOfEndpoint', 'fetchSampleData', 'fetchChanges', 'generateOpenApiFile', 'importTraffic'],
  ...[
    'fetchIssueGroups',
    'fetchAllIssues',
    'fetchAffectedEndpoints',
    'fetchIssueHistory',
    'fetchImportedRules',
    'fetchImportedFinding',
    'updateIssueStatus',
  ],
  ...[
    'fetchTestRunResultDetails',
    'fetchRemediationInfo',
    'retrieveAllCollectionTests',
    'startTest',
    'stopTest',
  ],
  ...['fetchTestingRunResultSummaries', 'fetchTestingRunResultsSummary', 'fetchTestingRunResults'],
  ...['fetchTestRunLogs', 'compareExecutions', 'fetchTestRoles'],
  ...['fetchThreatCategoryCount', 'fetchSuspectSampleData', 'fetchThreatActors', 'fetchThreatsForActor'],
  ...['fetchAllDastScans', 'fetchCrawlerRun', 'fetchCrawlerUrls', 'initiateCrawler', 'stopCrawler'],
])
/** Reports of crawler modules about their work: nothing for a person or an agent. */
const INTERNAL = /^(?:fetchPendingDastJobs|checkCrawlStatus|syncCrawlWork|takeCrawlCodeStep|fetchCrawlMemory)/

/** The argument that continues an answer which was cut. */
export const OFFSET_ARGUMENT = '_offset'

/** Operations that are offered, as tools, in the order of the reference. */
export function toolsOf({ groups, writes }: ToolChoice): Tool[] {
  return operationList
    .filter(isForAgents)
    .filter(({ access }) => writes || access === 'read')
    .filter(({ group, name }) =>
      groups.length === 0 ? EVERYDAY.has(name) : groups.includes(ALL_GROUPS) || groups.includes(group),
    )
    .map(toolOf)
}

function isForAgents({ sessionOnly, name }: Operation): boolean {
  return sessionOnly !== true && !INTERNAL.test(name)
}

/** With which options an operation is offered, as a sentence; null when agents cannot have it. */
export function howOffered(name: string): string | null {
  const operation = operationList.find((one) => one.name === name)
  if (operation === undefined || !isForAgents(operation)) return null
  const { group, access } = operation
  const offered = `vigil mcp offers it with --groups ${group}`
  return access === 'read'
    ? ` It is of another group; ${offered}.`
    : ` It changes something; ${offered} --write.`
}

/** Arguments that a tool takes, with the second spellings that its description names. */
export function argumentsOf({ name, inputSchema }: Tool): string[] {
  const request = operationList.find((one) => one.name === name)?.request ?? {}
  const aliases = Object.values(request).flatMap(({ alias }) => alias ?? [])
  return [...Object.keys(inputSchema['properties'] as object), ...aliases]
}

function toolOf(operation: Operation): Tool {
  const { name, summary, description, access, idempotent, group } = operation
  const schema = operationSchema(operation)
  const offset = { type: 'integer', minimum: 0, description: 'Where to continue an answer that was cut.' }
  return {
    name,
    title: summary,
    description: cut(`${summary}. ${description}`),
    inputSchema: {
      ...schema,
      type: 'object',
      properties: { ...(schema['properties'] as object), [OFFSET_ARGUMENT]: offset },
    },
    annotations: { readOnlyHint: access === 'read', idempotentHint: idempotent, openWorldHint: false },
    _meta: { group },
  }
}

/** Whole sentences as far as they fit. */
function cut(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text
  const end = text.lastIndexOf('. ', MAX_DESCRIPTION)
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, MAX_DESCRIPTION)}…`
}
