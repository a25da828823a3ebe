import { rightsOf } from '../../access/rights.ts'
import { harmOfTarget } from '../../http/harmful-words.ts'
import type { Exchange } from '../../http/index.ts'
import {
  type OutgoingRequest,
  Sender,
  type SendPurpose,
  type SentResponse,
  TargetScope,
} from '../../http/sender/index.ts'
import { Failure, nowMs } from '../../kit/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import {
  beginSession,
  DefaultPages,
  draftOf,
  type EndpointKey,
  effectOf,
  exchangeOf,
  FreshAnswers,
  isLoginFailure,
  listRoles,
  loginHosts,
  maskText,
  mayUseRole,
  type RunMaterial,
  runTools,
  type SampleShelf,
  SecretMask,
  type SessionState,
  type SessionTools,
  secretsOfCredential,
  statusAs,
  statusAsStranger,
  type TestRoleView,
} from '../../testing/index.ts'
import { hostsOf, type RunDeps } from './execute-run.ts'
import { RunCredentials } from './run-credentials.ts'
import { onlyOrigin, permittedSample } from './run-identities.ts'
import { loadSamples } from './sample-shelf.ts'
import { sentSecrets, shownAnswer } from './tried-answer.ts'

/** Endpoints that a session is tried at. */
const MOST_TRIED = 8
/** Endpoints that are looked at to find those that only read. */
const MOST_LOOKED_AT = 50
const LIMIT_MS = 60_000

/** Which login is tried, for whom. */
export interface SentLogin {
  readonly roleName: string
  /** Place of the credential in the role. */
  readonly index: number
  /** A collection whose endpoints show what the session reaches; null for none. */
  readonly collectionId: number | null
  readonly user: string
}

/** One request of a login. */
interface TriedStep {
  readonly method: string
  /** Without its query. */
  readonly url: string
  /** Null when nothing was answered. */
  readonly status: number | null
  readonly failure: string | null
  readonly durationMs: number
  /** Its status, headers and body without secrets, cut; '' without one. */
  readonly answer: string
}

/** What a login came to. */
export interface TriedLogin {
  readonly signedIn: boolean
  /** Why not, as a sentence; null when it is signed in. */
  readonly reason: string | null
  readonly steps: readonly TriedStep[]
  /** What requests of the role carry, masked. */
  readonly session: readonly { readonly where: string; readonly key: string; readonly value: string }[]
  /** Epoch seconds; 0 without a session, and for values that do not end. */
  readonly expiresAt: number
  /** Endpoints that were asked as the role and without credentials. */
  readonly reached: readonly {
    readonly endpoint: EndpointKey
    readonly status: number | null
    readonly anonymousStatus: number | null
  }[]
}

/** Signs a role in once, keeps nothing, and tells every step. @throws Failure TEST_ROLE_UNKNOWN, TEST_ROLE_AUTH_UNKNOWN */
export async function tryLogin(deps: RunDeps, sent: SentLogin): Promise<TriedLogin> {
  const { store, sealer } = deps
  const owner = await rightsOf(store, sent.user)
  const role = (await listRoles(store, sealer)).find(({ name }) => name === sent.roleName)
  if (role === undefined || !mayUseRole(role, owner)) throw new Failure('TEST_ROLE_UNKNOWN', {})
  const credential = role.credentials[sent.index]
  if (credential === undefined) throw new Failure('TEST_ROLE_AUTH_UNKNOWN', {})
  const { mechanism } = credential
  const { endpoints, samples } = await readableSamples(deps, sent.collectionId)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const purpose: SendPurpose = { kind: 'login', runId: null, summaryId: null, testId: null, user: sent.user }
  const sender = new Sender({
    scope: new TargetScope(
      [...loginHosts(mechanism), ...hostsOf(endpoints, samples)],
      deps.own,
      deps.allowed,
    ),
    requestsPerMinute: deps.requestsPerMinute,
    verifiesTls: deps.verifiesTls,
    audit: deps.audit,
  })
  const steps: SentStep[] = []
  try {
    const state = await beginSession(mechanism, role.name, {
      send: (request, options) =>
        noted(steps, request, () => sender.send(request, { ...options, signal, purpose })),
      sampleOf: (origin, author) => permittedSample(store, origin, author, owner),
      player: deps.player,
      oneTimeCode: deps.oneTimeCode,
      origin: onlyOrigin(samples),
      signal,
    })
    const mask = new SecretMask([
      ...secretsOfCredential(mechanism),
      ...(isLoginFailure(state) ? [] : state.parameters.map(({ value }) => value)),
      ...steps.flatMap(({ exchange }) => (exchange === null ? [] : sentSecrets(exchange))),
    ])
    const material = materialOf(deps, { role: actingAs(role, state), sender, samples, purpose })
    return {
      ...outcomeOf(state, mask),
      steps: steps.map(({ exchange, ...step }) => ({
        ...step,
        url: mask.text(step.url),
        answer: exchange === null ? '' : shownAnswer(exchange, mask),
      })),
      reached: isLoginFailure(state) ? [] : await reachedBy(role.name, endpoints, runTools(material, signal)),
    }
  } finally {
    await sender.close()
  }
}

type SentStep = Omit<TriedStep, 'answer'> & { readonly exchange: Exchange | null }

/** Sends a request of a login and notes what became of it. */
async function noted(
  steps: SentStep[],
  request: OutgoingRequest,
  send: () => Promise<SentResponse>,
): Promise<SentResponse> {
  const startedMs = nowMs()
  const step = { method: request.method, url: request.url.replace(/[?#].*$/s, '') }
  try {
    const sent = await send()
    steps.push({
      ...{ ...step, status: sent.response.status, failure: null, durationMs: nowMs() - startedMs },
      exchange: exchangeOf(request, sent.response),
    })
    return sent
  } catch (error) {
    const failure = error instanceof Failure ? error.code : String(error)
    steps.push({ ...step, status: null, failure, durationMs: nowMs() - startedMs, exchange: null })
    throw error
  }
}

/** Endpoints of a collection that only read, with their samples; none without a collection. */
async function readableSamples(
  { store }: RunDeps,
  collectionId: number | null,
): Promise<{ endpoints: EndpointKey[]; samples: SampleShelf }> {
  const { rows } = await store.pool.query<EndpointKey>(
    `SELECT e.collection_id AS "collectionId", e.method, e.url FROM endpoints e
     WHERE e.collection_id = $1 AND e.is_listed AND e.method = 'GET'
       AND EXISTS (SELECT FROM samples s WHERE s.endpoint_id = e.id AND s.status BETWEEN 200 AND 299)
     ORDER BY e.url LIMIT ${MOST_LOOKED_AT}`,
    [collectionId ?? 0],
  )
  const samples = await loadSamples(store, rows)
  const endpoints = rows.filter((endpoint) => onlyReads(samples.of(endpoint)))
  return { endpoints: endpoints.slice(0, MOST_TRIED), samples }
}

/** Whether a GET request neither asks for another method nor names an action, such as `/logout`. */
function onlyReads(sample: Exchange | null): boolean {
  if (sample === null) return false
  const draft = draftOf(sample)
  const path = draft.url.replace(/^https?:\/\/[^/]*/i, '')
  return effectOf(draft) === 'read' && harmOfTarget(`${path}?${draft.query}`) === null
}

function outcomeOf(
  state: SessionState,
  mask: SecretMask,
): Pick<TriedLogin, 'signedIn' | 'reason' | 'session' | 'expiresAt'> {
  if (isLoginFailure(state))
    return { signedIn: false, reason: mask.text(state.text), session: [], expiresAt: 0 }
  return {
    signedIn: true,
    reason: null,
    session: state.parameters.map(({ where, key, value }) => ({ where, key, value: maskText(value) })),
    expiresAt: state.isRenewable ? state.expiresAt : 0,
  }
}

/** The role with the values of a session in place of its login. */
function actingAs(role: TestRoleView, state: SessionState): TestRoleView {
  const [first] = role.credentials
  if (first === undefined || isLoginFailure(state)) return role
  const parameters = state.parameters.map(({ where, key, value }) => ({
    where,
    key,
    value,
    showHeader: true,
  }))
  const mechanism = { ...first.mechanism, type: 'HARDCODED', parameters }
  return { ...role, credentials: [{ ...first, headerPairs: {}, urlRegex: null, mechanism }] }
}

function materialOf(
  deps: RunDeps,
  own: { role: TestRoleView; sender: Sender; samples: SampleShelf; purpose: SendPurpose },
): RunMaterial {
  const credentials = new RunCredentials([own.role])
  return {
    ...{ samples: own.samples, sender: own.sender, purpose: own.purpose, keys: deps.keys },
    templates: new Map(),
    credentialsFor: (endpoint, sample) => credentials.sourceFor(endpoint, sample),
    sessions: credentials,
    lookups: EMPTY_LOOKUPS,
    callback: null,
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 0,
    words: new Map(),
  }
}

/** Asks endpoints as the role and without credentials. */
async function reachedBy(
  roleName: string,
  endpoints: readonly EndpointKey[],
  tools: SessionTools,
): Promise<TriedLogin['reached']> {
  const reached: TriedLogin['reached'][number][] = []
  for (const endpoint of endpoints) {
    const status = await answered(() => statusAs(roleName, endpoint, tools))
    reached.push({
      endpoint,
      status,
      anonymousStatus: await answered(() => statusAsStranger(endpoint, tools)),
    })
  }
  return reached
}

/** Null where nothing was answered. */
async function answered(ask: () => Promise<number | null>): Promise<number | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return null
  }
}
