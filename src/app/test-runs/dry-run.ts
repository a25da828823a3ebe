import { setImmediate as nextTurn } from 'node:timers/promises'
import { rightsOf } from '../../access/rights.ts'
import { runConcurrency } from '../../contract/limits.ts'
import type { SendPurpose } from '../../http/sender/index.ts'
import type { Store } from '../../store/index.ts'
import {
  Callers,
  DefaultPages,
  type EndpointKey,
  executePairs,
  FreshAnswers,
  findSuites,
  isConclusive,
  judgedAsRecorded,
  listRoles,
  mayUseRole,
  type PairResult,
  type PlannedPair,
  planRun,
  RecordedTarget,
  type RunMaterial,
  type RunView,
  RunWrites,
  requestEditor,
  runTools,
  type Template,
  type TestRoleView,
} from '../../testing/index.ts'
import { openMatrix, withMatrix } from './access-matrix.ts'
import { learnDefaultPages, type RunDeps } from './execute-run.ts'
import { documentedEndpoints, redirected } from './generated-samples.ts'
import { loadLookups } from './inventory-lookups.ts'
import { templatesOf } from './library.ts'
import { meanCosts } from './mean-costs.ts'
import { RolePeople } from './role-people.ts'
import { namesIn, RunCredentials } from './run-credentials.ts'
import { endpointsOf } from './run-endpoints.ts'
import { loadSamples } from './sample-shelf.ts'
import { signIn } from './sign-in.ts'
import { openStrangerMatrix, withStrangers } from './stranger-matrix.ts'

/** Endpoints that are looked at; a run of more is estimated from these. */
const MOST_ENDPOINTS = 400
/** How long checks are carried out against recorded answers; the rest is estimated from those. */
const BUDGET_MS = 8_000
/** Requests whose duration counts for the estimate, the newest. */
const MEASURED_REQUESTS = 2_000
/** Milliseconds of a request where none was measured yet. */
const ASSUMED_MS = 100
/** How long a run waits for callbacks after a test that asked for some. */
const CALLBACK_PATIENCE_MS = 5_000

/** A run as planned, in the fields that decide what it sends. */
export type PlannedRun = Pick<
  RunView,
  'userLogin' | 'maxConcurrent' | 'targetType' | 'targetEndpoints' | 'collectionIds' | 'configuration'
>

/** One test on one endpoint, as it would be carried out. */
export interface DryCheck {
  readonly endpoint: EndpointKey
  readonly testId: string
  /** It would not be carried out; `outcome` and `reason` say why. */
  readonly isSkipped: boolean
  readonly requests: number
  readonly writes: number
  readonly seconds: number
  /** Roles that it would act as. */
  readonly roles: readonly string[]
  readonly outcome: string | null
  readonly reason: string | null
}

/** What a run would do. Nothing was sent. */
export interface DryRun {
  readonly endpoints: number
  /** Endpoints that were looked at; fewer than `endpoints` when all would take too long. */
  readonly endpointsRead: number
  readonly tests: number
  readonly checks: readonly DryCheck[]
  /** Checks whose numbers are means of the others of their test. */
  readonly estimatedChecks: number
  /** Requests before the first check: sign-ins, probes for error pages, access questions. */
  readonly openingRequests: number
  readonly requests: number
  readonly writes: number
  readonly seconds: number
  /** Mean of the newest requests to these hosts; null when none was measured and 100 ms are assumed. */
  readonly measuredMs: number | null
  readonly hosts: readonly { readonly host: string; readonly requests: number }[]
}

/** Finds out what a run would send, without sending: its checks run against their recorded answers. */
export async function dryRun(deps: RunDeps, run: PlannedRun, signal: AbortSignal): Promise<DryRun> {
  const { store } = deps
  const aim = { ...run, periodSeconds: 0, coveredUntil: 0 } as RunView
  const { endpoints } = await endpointsOf(store, aim)
  const templates = await chosenTemplates(store, run)
  const read = spread(endpoints, MOST_ENDPOINTS)
  const opened = await openDry(deps, run, { endpoints: read, templates, signal })
  const { material, roles, target } = opened
  const plan = planRun(read, [...templates.values()], runTools(material, signal), {
    roles: roles.usable,
    hasCallbacks: material.callback !== null,
    lackOfSample: (endpoint) => material.samples.lackOf(endpoint),
  })
  const openingRequests = target.counts.requests + opened.signInRequests
  const measuredMs = await measuredRequestMs(store, [...target.byHost.keys()])
  const simulated = await simulateAll(plan.pairs, opened, measuredMs ?? ASSUMED_MS)
  const costOf = meanCosts(simulated.values())
  const carried = plan.pairs.map((pair) => simulated.get(pair) ?? estimated(pair, costOf(pair.testId)))
  const left = plan.leftOut.map(
    ({ endpoint, testId, code, explanation }): DryCheck => ({
      ...{ endpoint, testId, isSkipped: true, requests: 0, writes: 0, seconds: 0, roles: [] },
      ...{ outcome: code, reason: explanation },
    }),
  )
  return {
    endpoints: endpoints.length,
    endpointsRead: read.length,
    tests: templates.size,
    checks: [...carried, ...left],
    estimatedChecks: plan.pairs.length - simulated.size,
    openingRequests,
    measuredMs,
    ...totalsOf(carried, {
      scale: read.length === 0 ? 0 : endpoints.length / read.length,
      openingRequests,
      requestMs: measuredMs ?? ASSUMED_MS,
      concurrency: run.maxConcurrent > 0 ? run.maxConcurrent : runConcurrency.byDefault,
      requestsPerMinute: deps.requestsPerMinute,
      target,
    }),
  }
}

/** Carries checks out against recorded answers, until {@link BUDGET_MS} is used; the last one counts as far as it came. */
async function simulateAll(
  pairs: readonly PlannedPair[],
  { material, target, waited, signal }: OpenedDry,
  requestMs: number,
): Promise<Map<PlannedPair, DryCheck>> {
  const simulated = new Map<PlannedPair, DryCheck>()
  const until = AbortSignal.any([signal, AbortSignal.timeout(BUDGET_MS)])
  for (const pair of spread(pairs, pairs.length)) {
    if (until.aborted) break
    const before = { ...target.counts, waited: waited.ms }
    const result = await simulate(pair, material, until)
    const requests = target.counts.requests - before.requests
    const ms = requests * requestMs + (waited.ms - before.waited) + patienceOf(result)
    const writes = target.counts.writes - before.writes
    simulated.set(pair, { ...checkOf(pair, result, requests), writes, seconds: ms / 1000 })
    // The thread has runs to keep alive, too.
    await nextTurn()
  }
  return simulated
}

interface Pace {
  /** Endpoints of the run for each that was looked at. */
  readonly scale: number
  readonly openingRequests: number
  readonly requestMs: number
  readonly concurrency: number
  /** Of one host; 0 without a limit. */
  readonly requestsPerMinute: number
  readonly target: RecordedTarget
}

function totalsOf(
  carried: readonly DryCheck[],
  { scale, openingRequests, requestMs, concurrency, requestsPerMinute, target }: Pace,
): Pick<DryRun, 'requests' | 'writes' | 'seconds' | 'hosts'> {
  const sum = (key: 'requests' | 'writes' | 'seconds'): number =>
    carried.reduce((total, check) => total + check[key], 0) * scale
  const requests = Math.round(sum('requests')) + openingRequests
  const share = target.counts.requests === 0 ? 0 : requests / target.counts.requests
  const hosts = [...target.byHost]
    .map(([host, count]) => ({ host, requests: Math.round(count * share) }))
    .toSorted((a, b) => b.requests - a.requests || (a.host < b.host ? -1 : 1))
  const busiest = hosts[0]?.requests ?? 0
  const byRate = requestsPerMinute === 0 ? 0 : (busiest / requestsPerMinute) * 60
  const atOnce = (sum('seconds') + (openingRequests * requestMs) / 1000) / concurrency
  return { requests, writes: Math.round(sum('writes')), seconds: Math.max(byRate, atOnce), hosts }
}

async function chosenTemplates(store: Store, { configuration }: PlannedRun): Promise<Map<string, Template>> {
  const suites = await findSuites(store, configuration.suiteIds)
  const ids = suites.length > 0 ? suites.flatMap((suite) => suite.testIds) : configuration.testIds
  return templatesOf(store, [...new Set(ids)])
}

/** At most `most` items, evenly out of the whole list and in an order that mixes it, the same each time. */
function spread<T>(items: readonly T[], most: number): T[] {
  const ranked = items.map((item, at) => ({ item, rank: Math.imul(at + 1, 2_654_435_761) >>> 0 }))
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, most)
  return chosen.map(({ item }) => item)
}

interface DryScope {
  readonly endpoints: readonly EndpointKey[]
  readonly templates: ReadonlyMap<string, Template>
  readonly signal: AbortSignal
}

interface OpenedDry {
  readonly material: RunMaterial
  readonly roles: RunCredentials
  readonly target: RecordedTarget
  readonly waited: { ms: number }
  readonly signInRequests: number
  readonly signal: AbortSignal
}

/** Loads what the checks need, with {@link RecordedTarget} in place of the way out. */
async function openDry(deps: RunDeps, run: PlannedRun, scope: DryScope): Promise<OpenedDry> {
  const { store, sealer } = deps
  const { endpoints, templates, signal } = scope
  const { configuration } = run
  const collections = [...new Set(endpoints.map((key) => key.collectionId))]
  const callers = new Callers(namesIn)
  const people = new RolePeople(callers)
  const callback = deps.callback === null ? null : { register: madeUpCallback, hits: () => 0 }
  const lookups = await loadLookups(store, collections, callback, callers, people)
  const samples = await loadSamples(store, endpoints, callers, judgedAsRecorded(templates.values(), lookups))
  const override = configuration.overrideUrl ?? ''
  const documented = await documentedEndpoints(store, endpoints, samples, override)
  if (override !== '') {
    redirected(documented, override)
    samples.redirect(override)
  }
  const target = new RecordedTarget(samples, collections, namesIn)
  const owner = await rightsOf(store, run.userLogin)
  const stored = (await listRoles(store, sealer)).filter((role) => mayUseRole(role, owner))
  const roles = stored.map(withValues)
  const roleUnderTest = roles.find(({ id }) => id === configuration.roleId) ?? null
  const credentials = new RunCredentials(roles, { roleUnderTest })
  const waited = { ms: 0 }
  const purpose: SendPurpose = {
    kind: 'test',
    runId: null,
    summaryId: null,
    testId: null,
    user: run.userLogin,
  }
  const writes = new RunWrites({
    level: configuration.writeLevel,
    undoes: configuration.cleansUp,
    keeper: { keep: noop, done: noop, postpone: noop },
    lookups,
  })
  const material: RunMaterial = {
    ...{ samples, callers, templates, lookups, callback, writes, purpose, keys: deps.keys },
    sender: target,
    credentialsFor: (endpoint, sample) => credentials.sourceFor(endpoint, sample),
    sessions: credentials,
    edit: requestEditor(configuration.requestChanges),
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 0,
    words: new Map(),
    wait: async (ms) => {
      waited.ms += ms
    },
  }
  const identities = { credentials, roles, roleUnderTest, close: noop }
  const tools = runTools(material, signal)
  await signIn(identities, templates.values(), endpoints, tools, callers)
  await learnDefaultPages(material, signal)
  const asked = { endpoints, templates: [...templates.values()] }
  const matrix = await openMatrix(store, roles, { ...asked, keeps: false }, tools)
  const strangers = await openStrangerMatrix(store, asked, tools)
  return {
    material: { ...material, lookups: withStrangers(withMatrix(lookups, matrix), strangers) },
    roles: credentials,
    target,
    waited,
    signal,
    signInRequests: stored.reduce((sum, role) => sum + loginRequests(role), 0),
  }
}

async function noop(): Promise<void> {}

function madeUpCallback(): { id: string; url: string } {
  return { id: 'dry-run', url: 'http://callback.invalid/dry-run' }
}

/** The role with values that stand for those that signing in would give. */
function withValues(role: TestRoleView): TestRoleView {
  const credentials = role.credentials.map((entry) => {
    const { mechanism } = entry
    const given = mechanism.parameters.filter(({ where }) => where.toUpperCase() !== 'TLS')
    const parameters =
      given.length > 0
        ? given
        : [{ where: 'HEADER', key: 'authorization', value: `Bearer dry-run-${role.id}`, showHeader: true }]
    return { ...entry, mechanism: { ...mechanism, type: 'HARDCODED', parameters } }
  })
  return { ...role, credentials }
}

/** Requests that signing in once takes; those of a browser are not known. */
function loginRequests({ credentials }: TestRoleView): number {
  return credentials.reduce((sum, { mechanism }) => sum + (mechanism.steps?.length ?? 0), 0)
}

async function simulate(
  pair: PlannedPair,
  material: RunMaterial,
  signal: AbortSignal,
): Promise<PairResult | null> {
  let result: PairResult | null = null
  await executePairs([pair], {
    concurrency: 1,
    record: async ([only]) => {
      result = only ?? null
    },
    toolsWith: (until) => runTools(material, until),
    signal,
    templates: material.templates,
  })
  return result
}

function patienceOf(result: PairResult | null): number {
  return (result?.callbackIds.length ?? 0) > 0 ? CALLBACK_PATIENCE_MS : 0
}

/** A check that would send nothing and come to no verdict is skipped, for the reason that the run would give. */
function checkOf(
  pair: PlannedPair,
  result: PairResult | null,
  requests: number,
): Omit<DryCheck, 'writes' | 'seconds'> {
  const isLeft = requests === 0 && result !== null && !isConclusive(result.outcome)
  return {
    endpoint: pair.endpoint,
    testId: pair.testId,
    isSkipped: isLeft,
    requests,
    roles: result?.identities ?? [],
    outcome: isLeft ? result.outcome : null,
    reason: isLeft ? result.explanation : null,
  }
}

function estimated(pair: PlannedPair, cost: ReturnType<ReturnType<typeof meanCosts>>): DryCheck {
  return { ...pair, ...cost, isSkipped: false, outcome: null, reason: null }
}

/** Mean duration of the newest requests to some hosts, in milliseconds; null without one. */
async function measuredRequestMs(store: Store, hosts: readonly string[]): Promise<number | null> {
  const { rows } = await store.pool.query<{ mean: number | null }>(
    `SELECT avg(duration_ms)::float8 AS mean FROM (
       SELECT duration_ms, host FROM outgoing_requests WHERE failure IS NULL ORDER BY id DESC LIMIT $2) AS newest
     WHERE host = ANY ($1::text[])`,
    [hosts, MEASURED_REQUESTS],
  )
  return rows[0]?.mean ?? null
}
