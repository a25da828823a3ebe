import { until } from './until.ts'

/** An installation of Vigil, asked over its own interface. */
export interface Installation {
  call(operation: string, body: unknown): Promise<Record<string, unknown>>
}

/**
 * The collection that live traffic of a host made.
 * @throws Error when there is none
 */
export async function collectionOf(vigil: Installation, host: string): Promise<number> {
  const { apiCollections } = (await vigil.call('getAllCollectionsBasic', {})) as {
    apiCollections: { id: number; hostName: string | null }[]
  }
  const found = apiCollections.find(({ hostName }) => hostName === host)
  if (found === undefined) throw new Error(`no collection was made of ${host}`)
  return found.id
}

/** Gives tests the second customer of the market as attacker and MEMBER, and its administrator as ADMIN. */
export async function giveIdentities(
  vigil: Installation,
  tokens: { readonly bob: string; readonly carol: string },
): Promise<void> {
  const parameter = (token: string) => ({
    where: 'HEADER',
    key: 'Authorization',
    value: `Bearer ${token}`,
    showHeader: true,
  })
  await vigil.call('addAuthMechanism', {
    type: 'HARDCODED',
    requestData: [],
    uuid: '',
    authParamData: [parameter(tokens.bob)],
  })
  for (const [roleName, token] of [
    ['MEMBER', tokens.bob],
    ['ADMIN', tokens.carol],
  ] as const)
    await giveRole(vigil, roleName, { Authorization: `Bearer ${token}` })
}

/** Gives a test role headers to act with; makes the role unless it is there. */
export async function giveRole(
  vigil: Installation,
  roleName: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { testRoles } = (await vigil.call('fetchTestRoles', {})) as { testRoles: { name: string }[] }
  if (!testRoles.some(({ name }) => name === roleName))
    await vigil.call('addTestRoles', { roleName, andConditions: null, orConditions: null })
  await vigil.call('addAuthToRole', {
    roleName,
    apiCond: {},
    authParamData: Object.entries(headers).map(([key, value]) => ({
      where: 'HEADER',
      key,
      value,
      showHeader: true,
    })),
    authAutomationType: 'HARDCODED',
    reqData: [],
    recordedLoginFlowInput: null,
    urlRegex: null,
  })
}

/** Ids of every active test. */
export async function allTests(vigil: Installation): Promise<string[]> {
  return [...(await namesOfTests(vigil)).keys()]
}

/** Every active test by its id, as people call it. */
export async function namesOfTests(vigil: Installation): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let skip = 0; ; skip += 500) {
    const { subCategories } = (await vigil.call('fetchAllSubCategories', {
      mode: 'runTests',
      fetchOnlyActive: true,
      skip,
      limit: 500,
    })) as { subCategories: { name: string; testName: string }[] }
    for (const { name, testName } of subCategories) names.set(name, testName)
    if (subCategories.length < 500) return names
  }
}

/** What startTest takes for a run that begins now and once, but for what it tests. */
export const RUN_ORDER = {
  type: 'COLLECTION_WISE',
  testName: '',
  source: 'TESTING_UI',
  startTimestamp: 0,
  testRunTime: -1,
  maxConcurrentRequests: 10,
  recurringDaily: false,
  recurringWeekly: false,
  recurringMonthly: false,
  continuousTesting: false,
  sendSlackAlert: false,
  sendMsTeamsAlert: false,
  cleanUpTestingResources: false,
  overriddenTestAppUrl: '',
  testRoleId: '',
  autoTicketingDetails: '',
} as const

/** What startTest takes for tests on a whole collection, once and now. */
export function wholeCollection(
  apiCollectionId: number,
  selectedTests: readonly string[],
): Record<string, unknown> {
  return { ...RUN_ORDER, apiCollectionId, selectedTests }
}

/** What tests look at in a result of a run. */
export interface RunResult {
  readonly hexId: string
  readonly vulnerable: boolean
  readonly testSubType: string
  readonly apiInfoKey: { readonly method: string; readonly url: string }
  readonly errorsList: readonly string[]
  readonly testResults: readonly {
    readonly confidence: string
    readonly validationReason: string | null
    readonly errors: readonly string[]
  }[]
}

/** Starts a run, waits until it is COMPLETED, and gives its results, at most 500. */
export async function resultsOfRun(
  vigil: Installation,
  order: Record<string, unknown>,
): Promise<readonly RunResult[]> {
  const started = await vigil.call('startTest', order)
  const summaryId = started['testingRunResultSummaryHexId']
  const stateOf = async (): Promise<unknown> => {
    const summary = await vigil.call('fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
    if (summary['state'] === 'FAILED')
      throw new Error(`the run failed: ${JSON.stringify(summary['metadata'])}`)
    return summary['state']
  }
  await until('the run is COMPLETED', stateOf, { isRight: (state) => state === 'COMPLETED', ms: 150_000 })
  const { testingRunResults } = await vigil.call('fetchTestingRunResults', {
    testingRunResultSummaryHexId: summaryId,
    queryMode: 'ALL',
    sortKey: 'time',
    sortOrder: 1,
    limit: 500,
    skip: 0,
    queryValue: '',
  })
  return testingRunResults as RunResult[]
}
