import { rightsOf } from '../../access/rights.ts'
import {
  absoluteUrl,
  type Exchange,
  isAbsoluteTarget,
  originForm,
  parseSampleMessage,
} from '../../http/index.ts'
import { Sender, type SendPurpose, TargetScope } from '../../http/sender/index.ts'
import { loadTypeRules, sensitiveValues } from '../../inventory/index.ts'
import { Failure, nowMs } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  Callers,
  DefaultPages,
  type EndpointKey,
  FreshAnswers,
  lackOf,
  lackResult,
  previewResult,
  type ResultDetail,
  type RunMaterial,
  runPair,
  runTools,
  type SampleShelf,
  SecretMask,
  type Template,
} from '../../testing/index.ts'
import { learnDefaultPages, type RunDeps } from './execute-run.ts'
import { loadLookups } from './inventory-lookups.ts'
import { templatesOf } from './library.ts'
import { RolePeople } from './role-people.ts'
import { namesIn } from './run-credentials.ts'
import { onlyOrigin, openIdentities, type RunIdentities } from './run-identities.ts'
import { loadSamples } from './sample-shelf.ts'
import { signIn } from './sign-in.ts'

/** Longest that one trial may take. */
const TRIAL_LIMIT_MS = 240_000
const MAX_CONCURRENT = 10

/** A test on one endpoint, to be tried. */
interface Trial {
  readonly template: Template
  readonly endpoint: EndpointKey
  /** The exchange to start from; null for the stored one. */
  readonly sample: Exchange | null
  readonly user: string
}

/** What a trial starts from, once it is known that it may start. */
export interface ReadyTrial extends Trial {
  readonly samples: SampleShelf
  readonly hosts: ReadonlySet<string>
}

/**
 * Checks what a trial aims at, before anything is sent: there must be a sample, and it must lead to a host of the
 * endpoint, for what a client sends names no targets.
 *
 * @throws Failure NO_SAMPLE_TO_TEST, TARGET_OUT_OF_SCOPE
 */
export async function readyTrial(store: Store, trial: Trial): Promise<ReadyTrial> {
  const samples = await loadSamples(store, [trial.endpoint])
  const stored = samples.of(trial.endpoint)
  const hosts = await hostsOf(store, trial.endpoint, stored)
  if (trial.sample !== null) samples.put(trial.endpoint, placed(trial.sample, stored))
  const sample = samples.of(trial.endpoint)
  if (sample === null) throw new Failure('NO_SAMPLE_TO_TEST', {})
  const url = absoluteUrl(sample.request)
  const host = URL.canParse(url) ? new URL(url).host : url
  if (!hosts.has(host))
    throw new Failure('TARGET_OUT_OF_SCOPE', { host, reason: 'it is not a host of the endpoint' })
  return { ...trial, samples, hosts }
}

/** Hosts under which the endpoint is known. */
async function hostsOf(store: Store, endpoint: EndpointKey, stored: Exchange | null): Promise<Set<string>> {
  const { rows } = await store.pool.query<{ origin: string; host: string | null }>(
    `SELECT e.origin, lower(c.host_name) AS host FROM collections c
     LEFT JOIN endpoints e ON e.collection_id = c.id AND e.method = $2 AND e.url = $3 WHERE c.id = $1`,
    [endpoint.collectionId, endpoint.method, endpoint.url],
  )
  const addresses = [
    ...rows.flatMap(({ origin, host }) => [origin ?? '', host === null ? '' : `http://${host}`]),
    ...(stored === null ? [] : [absoluteUrl(stored.request)]),
  ]
  return new Set(addresses.filter((text) => URL.canParse(text)).map((text) => new URL(text).host))
}

/** The sample with the origin of the stored one where it names none. */
function placed(sample: Exchange, stored: Exchange | null): Exchange {
  if (stored === null || isAbsoluteTarget(sample.request.target)) return sample
  const url = absoluteUrl(stored.request)
  if (!URL.canParse(url)) return sample
  return {
    ...sample,
    request: { ...sample.request, target: new URL(url).origin + originForm(sample.request.target) },
  }
}

/** Runs a test on an endpoint and stores nothing. @throws Failure SEND_STOPPED when the signal is aborted */
export async function tryTemplate(
  deps: RunDeps,
  trial: ReadyTrial,
  signal: AbortSignal,
): Promise<ResultDetail> {
  const { template, endpoint, samples, hosts, user } = trial
  const until = AbortSignal.any([signal, AbortSignal.timeout(TRIAL_LIMIT_MS)])
  const purpose: SendPurpose = { kind: 'test', runId: null, summaryId: null, testId: null, user }
  const sender = new Sender({
    scope: new TargetScope(hosts, deps.own, deps.allowed),
    maxConcurrent: MAX_CONCURRENT,
    requestsPerMinute: deps.requestsPerMinute,
    verifiesTls: deps.verifiesTls,
    audit: deps.audit,
  })
  const problems: string[] = []
  const callers = new Callers(namesIn)
  const identities = await openIdentities(
    {
      ...deps,
      callers,
      note: (problem) => problems.push(problem),
      secrets: (values) => mask.learn(values),
    },
    { roleId: null, purpose, origin: onlyOrigin(samples), owner: await rightsOf(deps.store, user) },
    hosts,
    until,
  )
  const { credentials } = identities
  const rules = await loadTypeRules(deps.store)
  const mask = new SecretMask(credentials.secrets, [], (exchange) => sensitiveValues(exchange, rules))
  const refused = (explanation: string): ResultDetail => {
    const pair = { endpoint, testId: template.id, category: template.info.category.name, reasons: null }
    return previewResult(lackResult({ ...pair, code: 'ROLE_NOT_FOUND', explanation }, nowMs()), mask)
  }
  try {
    const facts = { roles: credentials.usable, hasCallbacks: deps.callback !== null }
    const lacking = lackOf(template, facts)
    if (lacking !== null) return refused(lacking)
    const people = new RolePeople(callers)
    const material = await materialOf(deps, trial, { sender, purpose, credentials, callers, people })
    const tools = runTools(material, until)
    const refusal = await signIn(identities, [template], [endpoint], tools, callers)
    if (refusal !== null) return refused([refusal, ...problems].join(' '))
    await learnDefaultPages(material, until)
    if (trial.sample === null)
      samples.put(endpoint, ...(await loadSamples(deps.store, [endpoint], callers)).allOf(endpoint))
    const stored = samples.of(endpoint)
    if (stored !== null) people.learn(credentials, [{ endpoint, sample: stored }])
    const [sample] = tools.samplesFor(template, endpoint)
    const chosen = sample === undefined ? tools : tools.withSample(endpoint, sample)
    return previewResult(await runPair(template, endpoint, chosen), mask)
  } finally {
    await identities.close()
    await sender.close()
  }
}

async function materialOf(
  { store, callback, keys }: RunDeps,
  { template, endpoint, samples }: ReadyTrial,
  own: {
    sender: Sender
    purpose: SendPurpose
    credentials: RunIdentities['credentials']
    callers: Callers
    people: RolePeople
  },
): Promise<RunMaterial> {
  const named = template.execute.steps.flatMap(({ testName }) => (testName === null ? [] : [testName]))
  return {
    samples,
    templates: new Map([...(await templatesOf(store, named)), [template.id, template]]),
    sender: own.sender,
    purpose: own.purpose,
    credentialsFor: (key, sample) => own.credentials.sourceFor(key, sample),
    sessions: own.credentials,
    lookups: await loadLookups(store, [endpoint.collectionId], callback, own.callers, own.people),
    callback,
    keys,
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 5_000,
    words: new Map(),
  }
}

/** A sample as a client sends it. @throws Failure INVALID_TEST_SAMPLE */
export function readTrialSample(text: string): Exchange {
  try {
    return parseSampleMessage(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('INVALID_TEST_SAMPLE', { reason }, { cause: error })
  }
}
