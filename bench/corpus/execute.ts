import { RunCredentials } from '../../src/app/test-runs/run-credentials.ts'
import { recordMarketTraffic, startMarket } from '../../src/demo/index.ts'
import { parseSampleMessage } from '../../src/http/index.ts'
import { Sender, TargetScope } from '../../src/http/sender/index.ts'
import {
  compileCondition,
  EMPTY_LOOKUPS,
  type Lookups,
  type Problem,
  readYaml,
} from '../../src/rules/index.ts'
import {
  ATTACKER_ROLE,
  CallbackListener,
  createSigningKeys,
  DefaultPages,
  type EndpointKey,
  FreshAnswers,
  lackOf,
  type PairResult,
  planRun,
  type RunTools,
  runPair,
  runTools,
  SampleShelf,
  type Template,
  type TestRoleView,
} from '../../src/testing/index.ts'
import { startEchoServer } from './echo-server.ts'
import { SHAPES } from './shapes.ts'

const CONCURRENT = 8
/** What one test may take on one endpoint here. */
const LIMIT_MS = 60_000
/** What selections usually save: names of parameters and headers, lists of them, hosts. */
const LIKELY_VALUES: readonly (string | readonly string[])[] = [
  'id',
  ['id', 'url'],
  'url',
  'authorization',
  'x-forwarded-for',
  'x-csrf-token',
  'amount',
  'theme',
  '127.0.0.1',
]
const ROLES = [
  ATTACKER_ROLE,
  'MEMBER',
  'ADMIN',
  'LOCKED_ACCOUNT_SYSTEM_ROLE',
  'LOGGED_OUT_SYSTEM_ROLE',
  'LOGIN_2FA_INCOMPLETE_SYSTEM_ROLE',
]

/** What became of one template. */
export interface Executed {
  readonly template: Template
  /** The endpoint satisfied the selection; otherwise the test was run on one that did not, to see its requests. */
  readonly isSelected: boolean
  /** Null: it cannot be planned, and lacking says why. */
  readonly result: PairResult | null
  readonly lacking: string | null
}

/** Plans and runs every template against local servers: a market with weaknesses, and one that echoes. */
export async function executeAll(templates: readonly Template[]): Promise<Executed[]> {
  const market = await startMarket('all')
  const echo = await startEchoServer()
  const callback = await CallbackListener.start({
    callbackHost: '127.0.0.1',
    callbackPort: 0,
    callbackUrl: null,
  })
  const sender = new Sender({
    // Some tests ask other ports of the host.
    scope: new TargetScope([new URL(market.origin).host, new URL(echo.origin).host], [], ['127.0.0.1']),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
    maxFailures: 1_000_000,
  })
  try {
    const { samples, endpoints } = await samplesOf(market, echo.origin)
    const credentials = new RunCredentials(roles())
    const tools = runTools(
      {
        samples,
        templates: new Map(templates.map((template) => [template.id, template])),
        sender,
        purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
        credentialsFor: (key, sample) => credentials.sourceFor(key, sample),
        lookups: lookupsOf(callback),
        callback,
        keys: createSigningKeys(callback.keysUrl),
        defaultPages: new DefaultPages(),
        freshAnswers: new FreshAnswers(),
        callbackPatienceMs: 50,
        words: new Map(),
      },
      new AbortController().signal,
    )
    const facts = { roles: new Set(ROLES), hasCallbacks: true }
    const plan = planRun(endpoints, templates, tools, facts)
    const places = new Map<string, EndpointKey[]>()
    for (const { testId, endpoint } of plan.pairs)
      places.set(testId, [...(places.get(testId) ?? []), endpoint])
    const done: Executed[] = []
    const waiting = [...templates]
    const work = async (): Promise<void> => {
      for (let template = waiting.shift(); template !== undefined; template = waiting.shift())
        done.push(
          await executeOne(
            template,
            places.get(template.id) ?? [],
            endpoints,
            tools,
            lackOf(template, facts),
          ),
        )
    }
    await Promise.all(Array.from({ length: CONCURRENT }, work))
    return done
  } finally {
    await sender.close()
    await callback.close()
    await echo.close()
    await market.close()
  }
}

/** Where it was selected, until requests were sent; else anywhere, with its selection laid aside. */
async function executeOne(
  template: Template,
  selected: readonly EndpointKey[],
  all: readonly EndpointKey[],
  tools: RunTools,
  lacking: string | null,
): Promise<Executed> {
  if (lacking !== null) return { template, isSelected: false, result: null, lacking }
  let last: Executed | null = null
  for (const endpoint of selected.slice(0, 5)) {
    last = { template, isSelected: true, result: await pairOf(template, endpoint, tools), lacking: null }
    if (last.result!.attempts.length > 0) return last
  }
  const forced = { ...template, filters: ANYWHERE, auth: null }
  for (const value of LIKELY_VALUES) {
    for (const endpoint of all.toReversed()) {
      const result = await pairOf(forced, endpoint, capturing(template, tools, value))
      const outcome = { template, isSelected: false, result, lacking: null }
      if (result.attempts.length > 0) return outcome
      if (isUnheard(result)) return outcome
      last ??= outcome
    }
  }
  return last!
}

/** A request was built and sent, to a port of the host that nothing listens on here. */
export function isUnheard({ outcome, explanation }: PairResult): boolean {
  return outcome === 'API_REQUEST_FAILED' && explanation.startsWith('TARGET_UNREACHABLE')
}

async function pairOf(template: Template, endpoint: EndpointKey, tools: RunTools): Promise<PairResult> {
  const limit = AbortSignal.timeout(LIMIT_MS)
  // Waits between steps are for targets that need them.
  const quick: RunTools = { ...tools, signal: limit, wait: () => Promise.resolve() }
  return runPair(template, endpoint, quick)
}

const ANYWHERE = anywhere()

function anywhere(): Template['filters'] {
  const problems: Problem[] = []
  return compileCondition(readYaml('response_code: { gte: 100 }').root!, 'test', problems)!
}

/** Gives every name that the selection would have saved this value, and every list without words one word. */
function capturing(template: Template, tools: RunTools, value: string | readonly string[]): RunTools {
  const names = template.execute.steps[0]?.captures ?? new Set<string>()
  return {
    ...tools,
    wordsFor: (given, endpoint) =>
      new Map(
        [...tools.wordsFor(given, endpoint)].map(([name, words]) => [name, words.length > 0 ? words : ['8']]),
      ),
    environmentFor: (given, endpoint, variables) => {
      for (const name of names) variables.capture(name, Array.isArray(value) ? [...value] : (value as string))
      return tools.environmentFor(given, endpoint, variables)
    },
  }
}

async function samplesOf(
  market: Awaited<ReturnType<typeof startMarket>>,
  echoOrigin: string,
): Promise<{ samples: SampleShelf; endpoints: EndpointKey[] }> {
  const samples = new SampleShelf()
  const endpoints: EndpointKey[] = []
  const put = (endpoint: EndpointKey, sample: ReturnType<typeof parseSampleMessage>): void => {
    if (samples.of(endpoint) !== null) return
    samples.put(endpoint, sample)
    endpoints.push(endpoint)
  }
  // Without its port, as a host that is asked at its default port.
  const echoHost = new URL(echoOrigin).hostname
  for (const { path, sample } of SHAPES) {
    const { pathname, search } = new URL(sample.request.target)
    const request = {
      ...sample.request,
      target: `${echoOrigin}${pathname}${search}`,
      headers: sample.request.headers.map((part) => (part === 'shop.test' ? echoHost : part)),
    }
    put({ collectionId: 1, method: request.method, url: path }, { ...sample, request })
  }
  const { messages } = await recordMarketTraffic(market)
  for (const message of messages) {
    const sample = parseSampleMessage(JSON.stringify(message))
    const target = sample.request.target.startsWith('/')
      ? market.origin + sample.request.target
      : sample.request.target
    const request = { ...sample.request, target }
    const url = new URL(target).pathname.replaceAll(/\/\d+(?=\/|$)/g, '/INTEGER')
    put({ collectionId: 2, method: request.method, url }, { ...sample, request })
  }
  return { samples, endpoints }
}

function lookupsOf(callback: CallbackListener): Lookups {
  return {
    ...EMPTY_LOOKUPS,
    rolesOf: () => ['ADMIN'],
    accessTypesOf: () => ['private'],
    privateValuesOf: () => [{ key: 'user_id', value: 'u-8' }],
    otherValueOf: () => ({ key: 'user_id', value: 'u-9' }),
    matchesDataType: () => true,
    callbackHits: (id) => callback.hits(id),
  }
}

function roles(): TestRoleView[] {
  return ROLES.map((name) => ({
    id: name,
    name,
    credentials: [
      {
        headerPairs: {},
        urlRegex: null,
        mechanism: {
          type: 'HARDCODED',
          parameters: [{ where: 'HEADER', key: 'authorization', value: `Bearer of-${name}` }],
        },
      },
    ],
  })) as unknown as TestRoleView[]
}
