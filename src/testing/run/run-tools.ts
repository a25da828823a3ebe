import { type Exchange, headerValue } from '../../http/index.ts'
import {
  delay,
  type OutgoingRequest,
  type RequestSender,
  type SendOptions,
  type SendPurpose,
  type SentResponse,
} from '../../http/sender/index.ts'
import { Failure, nowMs, nowSeconds } from '../../kit/index.ts'
import { type Lookups, saysNo } from '../../rules/index.ts'
import {
  type AttemptEnvironment,
  type CallbackPort,
  type CredentialSource,
  draftOf,
  OWN_FILES,
  outgoingRequest,
  type RequestDraft,
} from '../attempts/index.ts'
import type { Callers } from '../callers/index.ts'
import { IdentifiedSend } from '../sessions/identified-send.ts'
import type { Template } from '../template/index.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { provideDynamicLists, resolveWordLists } from '../word-lists/resolve-word-lists.ts'
import type { SendDraft } from '../writes/undo-write.ts'
import type { WantedWrite } from '../writes/wanted-write.ts'
import type { PairWrites, RunWrites } from '../writes/write-guard.ts'
import type { DefaultPages } from './default-pages.ts'
import type { FreshAnswers } from './fresh-answers.ts'
import { showsWhole } from './list-entries.ts'
import { asked, listingOf } from './listing.ts'
import { LooseStores } from './loose-stores.ts'
import { ownParentsOf } from './own-parents.ts'
import { type EndpointKey, endpointText } from './pair-result.ts'
import { lookupsOfRun, NO_SESSIONS, type RunSessions, sampleOfRun, startOfRun } from './run-sessions.ts'
import type { SampleShelf } from './sample-shelf.ts'
import { SharedAnswers } from './shared-answers.ts'
import { SilentEndpoints } from './silent-endpoints.ts'
import { withStandIns } from './stand-ins.ts'
import {
  listedObjectsOf,
  listRequestOf,
  ownRequestOf,
  requestAs,
  samplesForTest,
  signInOfCaller,
} from './test-callers.ts'
import type { RoleOutcome, SendToTarget, SentRequest, SessionTools } from './tools.ts'

/** What a run has loaded before its first request. */
export interface RunMaterial {
  readonly samples: SampleShelf
  /** Who sent recorded requests; absent: nobody knows, and each endpoint has one sample. */
  readonly callers?: Callers
  readonly templates: ReadonlyMap<string, Template>
  readonly sender: RequestSender
  readonly purpose: SendPurpose
  /** Credentials as they are for an endpoint: roles can differ by URL and header. */
  credentialsFor(endpoint: EndpointKey, sample: Exchange): CredentialSource
  /** Absent: credentials never change, and every test starts from the recorded caller. */
  readonly sessions?: RunSessions
  /** What the settings of the run change in every request; absent or null: nothing. */
  readonly edit?: ((draft: RequestDraft) => RequestDraft) | null
  readonly lookups: Lookups
  readonly callback: CallbackPort | null
  readonly keys: SigningKeys
  readonly defaultPages: DefaultPages
  readonly freshAnswers: FreshAnswers
  readonly callbackPatienceMs: number
  /** Word lists of the installation; they win over those of templates. */
  readonly words: ReadonlyMap<string, readonly string[]>
  /** Value of the header that marks requests of tests; absent: 1. */
  readonly mark?: string
  /** Waits between requests; absent: as long as the run lives. A dry run does not wait. */
  readonly wait?: (ms: number) => Promise<void>
  /** Lets writes through and undoes them; absent: everything is sent, and stays. */
  readonly writes?: RunWrites
}

/** Methods that only read (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Header of all requests of tests, which the inventory leaves out. */
const MARK = 'x-vigil-test'
/** Methods that write and that tests repeat; what a DELETE removes is gone permanently, unless it was made for the test. */
const REPEATABLE_METHODS = new Set(['POST', 'PUT', 'PATCH'])
/** How long undoing the writes of one test may take; not cut short by the end of the run. */
const UNDO_LIMIT_MS = 60_000
/** How long an answer to a request that writes counts as fresh. */
const FRESH_WRITE_MS = 60_000
/** How long the answer to a write is still waited for when the run has ended: it says what is to be undone. */
const LAST_ANSWER_MS = 10_000
/** How long it counts what a role was answered at a function. */
const ROLE_OUTCOME_MS = 600_000

/** The tools of one pair, or of many that end together; `signal` ends them. */
export function runTools(material: RunMaterial, signal: AbortSignal): SessionTools {
  return toolsAt(material, signal, null, material.writes?.begin() ?? null)
}

/** A sample that stands for its endpoint, in place of the first one. */
interface Bound {
  readonly endpoint: EndpointKey
  readonly recorded: Exchange
}

function toolsAt(
  material: RunMaterial,
  signal: AbortSignal,
  bound: Bound | null,
  writes: PairWrites | null,
): SessionTools {
  const { samples, templates, defaultPages, sessions } = material
  const recordedOf = (endpoint: EndpointKey): Exchange | null =>
    bound !== null && endpointText(endpoint) === endpointText(bound.endpoint)
      ? bound.recorded
      : samples.of(endpoint)
  const lookups = lookupsOfRun(material, recordedOf)
  const sender = identifiedSend(material.sender)
  const sourceFor = (endpoint: EndpointKey) => ({
    own: recordedOf(endpoint),
    ofCollection: () => samples.ofCollection(endpoint.collectionId),
  })
  const originals = new Map<Exchange, Exchange>()
  const transmit = async (
    draft: RequestDraft,
    { followRedirects, testId, mayShare, endpoint, measuresTime = false }: SendToTarget,
    until: AbortSignal,
  ): Promise<SentRequest> => {
    const request = marked(outgoingRequest(material.edit?.(draft) ?? draft), material.mark ?? '1')
    // An id must be known everywhere before a target can call with it.
    if (material.callback?.settled !== undefined) await material.callback.settled()
    const isWrite = writes !== null && !SAFE_METHODS.has(draft.method)
    const lingerMs = isWrite ? LAST_ANSWER_MS : 0
    const options = { followRedirects, signal: until, lingerMs, purpose: { ...material.purpose, testId } }
    const ask = async (): Promise<SentRequest> => {
      const asked = { endpoint, ...(measuresTime ? { measuring: testId } : {}) }
      const sent = await patiently(material.sender, asked, (patience) =>
        sender.send(request, { ...options, ...patience }, draft.identity),
      )
      return {
        exchange: exchangeOf(request, sent.response),
        responseTimeMs: sent.totalMs,
        isTruncated: sent.isTruncated,
      }
    }
    // What writes and is undone must be sent each time.
    const isShared =
      mayShare === true && draft.identity === null && (writes === null || SAFE_METHODS.has(draft.method))
    return isShared ? sharedAnswers(material.sender).of(request, followRedirects, ask) : ask()
  }
  const guarded = (
    draft: RequestDraft,
    options: SendToTarget,
    about: Pick<WantedWrite, 'endpoint' | 'start' | 'sample'>,
  ): Promise<SentRequest> => {
    if (writes === null) return transmit(draft, options, signal)
    const { signIn = null } = options
    const related = samples.relatedTo(about.endpoint.collectionId)
    const { followRedirects, guesses = false, isInvented = false, isOfStandIn = false } = options
    const wanted = {
      ...about,
      related,
      guesses,
      isInvented,
      isOfStandIn,
      signIn,
      draft: { ...draft, followRedirects },
    }
    return writes.send(wanted, (one) =>
      transmit(one, { ...options, followRedirects: one.followRedirects }, signal),
    )
  }
  return {
    sampleOf: (endpoint) => sampleOfRun(material, endpoint, recordedOf(endpoint)),
    samplesFor(template, endpoint) {
      return samplesForTest(material, template, endpoint).flatMap((recorded) => {
        const sample = sampleOfRun(material, endpoint, recorded)
        if (sample === null) return []
        originals.set(sample, recorded)
        return [sample]
      })
    },
    withSample: (endpoint, sample) =>
      toolsAt(material, signal, { endpoint, recorded: originals.get(sample) ?? sample }, writes),
    within: (until) => toolsAt(material, AbortSignal.any([signal, until]), bound, writes),
    withStandIns(endpoint) {
      const recorded = recordedOf(endpoint)
      return recorded === null
        ? []
        : withStandIns(material, endpoint, recorded).map((one) => toolsAt(one, signal, bound, writes))
    },
    async ownAnswer(role, endpoint) {
      const own = ownRequestOf(material, role, endpoint)
      if (own === null) return null
      const { draft, recorded } = own
      if (!SAFE_METHODS.has(draft.method) && !isRepeatable(draft, writes !== null)) return null
      const options = { followRedirects: false, testId: '' }
      const ask = (): Promise<Exchange> =>
        guarded(draft, options, { endpoint, start: draft, sample: recorded }).then((sent) => sent.exchange)
      const freshMs = SAFE_METHODS.has(own.draft.method) ? undefined : FRESH_WRITE_MS
      return material.freshAnswers.of(endpoint, own.recorded, ask, freshMs)
    },
    async listAnswer(role, endpoint) {
      const list = listRequestOf(material, role, endpoint)
      if (list === null) return null
      const ask = (): Promise<Exchange> =>
        this.send(list.draft, { followRedirects: false, testId: '' }).then((sent) => sent.exchange)
      return material.freshAnswers.of(list.endpoint, role, ask)
    },
    listingFor(role, endpoint, answer) {
      const recorded = recordedOf(endpoint)
      return recorded === null
        ? Promise.resolve('none')
        : listingOf({ material, role, endpoint, recorded, answer }, (draft) =>
            this.send(draft, { followRedirects: false, testId: '' }).then((sent) => sent.exchange),
          )
    },
    async isPartOfShared(role, endpoint) {
      const recorded = recordedOf(endpoint)
      const objects = recorded === null ? [] : listedObjectsOf(material, role, endpoint, recorded)
      for (const { object, list, endpoint: key, hasOtherName } of objects) {
        if (hasOtherName) continue
        const ask = (draft: RequestDraft): Promise<Exchange> =>
          material.freshAnswers.of(key, asked(draft, role), () =>
            this.send(draft, { followRedirects: false, testId: '' }).then((sent) => sent.exchange),
          )
        if (showsWhole(await ask(list), await ask(object))) return true
      }
      return false
    },
    async outcomeAs(role, endpoint) {
      const recorded = samples.of(endpoint)
      const draft = recorded === null ? null : requestAs(material, role, endpoint, recorded)
      if (recorded === null || draft === null) return null
      const options = { followRedirects: false, testId: '' }
      const ask = (): Promise<Exchange> =>
        guarded(draft, options, { endpoint, start: draftOf(recorded), sample: recorded }).then(
          (sent) => sent.exchange,
        )
      try {
        return outcomeOf(await material.freshAnswers.of(endpoint, `as ${role}`, ask, ROLE_OUTCOME_MS))
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
        return null // what may not be sent, or got no answer, says nothing
      }
    },
    relatedTo: (endpoint) => samples.ofCollection(endpoint.collectionId),
    signInOf(endpoint) {
      const recorded = recordedOf(endpoint)
      return recorded === null ? null : signInOfCaller(material, endpoint.collectionId, recorded)
    },
    startOf: (endpoint, sample) => startOfRun(material, endpoint, sample, recordedOf(endpoint)),
    sessions: sessions ?? NO_SESSIONS,
    credentialsFor: (endpoint, sample) => material.credentialsFor(endpoint, sample),
    lookups,
    isLooseStore: (endpoint) => looseStores(material.sender).has(endpoint),
    noteLooseStore: (endpoint) => looseStores(material.sender).add(endpoint),
    signal,
    callbackPatienceMs: material.callbackPatienceMs,
    nowMs,
    wait: (ms) => (material.wait === undefined ? delay(ms, signal) : material.wait(ms)),
    isDefaultPage: (exchange) => defaultPages.has(exchange),
    templateOf: (testId) => templates.get(testId) ?? null,
    wordsFor: (template, endpoint) =>
      resolveWordLists(template.wordLists, sourceFor(endpoint), material.words),
    provideCaptured: (template, endpoint, variables) =>
      provideDynamicLists(template.wordLists, sourceFor(endpoint), variables),
    forgetFresh: (endpoint) => material.freshAnswers.forget(endpoint),
    freshAnswer(endpoint, draft) {
      if (!SAFE_METHODS.has(draft.method)) return Promise.resolve(null)
      const recorded = recordedOf(endpoint)
      // A recorded redirect is compared with a redirect, not with where it leads.
      const status = recorded?.response.status ?? 200
      const followRedirects = status < 300 || status > 399
      return material.freshAnswers.of(endpoint, recorded, () =>
        this.send(draft, { followRedirects, testId: '', endpoint }).then((sent) => sent.exchange),
      )
    },
    unchangedAnswer(endpoint, draft) {
      if (!isRepeatable(draft, writes?.hasStandIn(draft) === true)) return Promise.resolve(null)
      const ask = (): Promise<Exchange> =>
        this.send(draft, { followRedirects: true, testId: '', endpoint }).then((sent) => sent.exchange)
      return material.freshAnswers.of(endpoint, recordedOf(endpoint), ask, FRESH_WRITE_MS)
    },
    editOf: (draft) => material.edit?.(draft) ?? draft,
    environmentFor: (_template, endpoint, variables): AttemptEnvironment => ({
      variables,
      credentials: material.credentialsFor(endpoint, recordedOf(endpoint)!),
      callback: material.callback,
      keys: material.keys,
      nowSeconds,
      files: OWN_FILES,
      ownParents: () => ownParentsOf(material, endpoint, recordedOf(endpoint)!),
    }),
    send(draft, options) {
      const { endpoint } = options
      if (endpoint === undefined) return transmit(draft, options, signal)
      const recorded = recordedOf(endpoint)
      const { own } = options
      const sample = own ?? sampleOfRun(material, endpoint, recorded)
      const isOwn = own !== undefined || sample === null
      const start = isOwn ? draft : startOfRun(material, endpoint, sample, recorded)
      return guarded(draft, options, { endpoint, start, sample })
    },
    async undoWrites(testId, which = 'all') {
      const until = AbortSignal.timeout(UNDO_LIMIT_MS)
      const options = { followRedirects: false, testId }
      const undo: SendDraft = (draft) => transmit(draft, options, until).then(({ exchange }) => exchange)
      await writes?.settle(undo, which)
    },
  }
}

/** Whether an answer says that a function was carried out, or that it is refused; null when it says neither. */
function outcomeOf({ response: { status, body } }: Exchange): RoleOutcome | null {
  if (status === 403) return 'refused'
  if (status < 200 || status > 299) return null
  return saysNo(body) ? 'refused' : 'used'
}

/** Whether a request that writes may be sent again; a DELETE only on what is made for the test. */
function isRepeatable({ method }: RequestDraft, hasOwnObjects: boolean): boolean {
  return REPEATABLE_METHODS.has(method) || (method === 'DELETE' && hasOwnObjects)
}

const identified = new WeakMap<RequestSender, IdentifiedSend>()

/** One for each sender: what servers asked for is remembered for the whole run. */
function identifiedSend(sender: RequestSender): IdentifiedSend {
  const known = identified.get(sender)
  if (known !== undefined) return known
  const made = new IdentifiedSend(sender)
  identified.set(sender, made)
  return made
}

const silent = new WeakMap<RequestSender, SilentEndpoints>()

/** Sends a request of a test, unless its endpoint leaves requests unanswered. @throws Failure ENDPOINT_SILENT */
async function patiently(
  sender: RequestSender,
  { endpoint, measuring }: { readonly endpoint?: EndpointKey | undefined; readonly measuring?: string },
  send: (patience: Pick<SendOptions, 'patienceMs'>) => Promise<SentResponse>,
): Promise<SentResponse> {
  if (endpoint === undefined) return send({})
  const known = silent.get(sender) ?? new SilentEndpoints()
  silent.set(sender, known)
  const patienceMs = known.patienceFor(endpoint, measuring)
  try {
    const sent = await send(patienceMs === undefined ? {} : { patienceMs })
    known.answered(endpoint, sent.totalMs)
    return sent
  } catch (error) {
    if (error instanceof Failure && error.code === 'TARGET_TIMEOUT') known.timedOut(endpoint, measuring)
    throw error
  }
}

const shared = new WeakMap<RequestSender, SharedAnswers>()

/** One for each sender: the tests of a run share what they ask alike. */
function sharedAnswers(sender: RequestSender): SharedAnswers {
  const known = shared.get(sender)
  if (known !== undefined) return known
  const made = new SharedAnswers()
  shared.set(sender, made)
  return made
}

const loose = new WeakMap<RequestSender, LooseStores>()

/** One for each sender: what a test finds out about a resource holds for the whole run. */
function looseStores(sender: RequestSender): LooseStores {
  const known = loose.get(sender)
  if (known !== undefined) return known
  const made = new LooseStores()
  loose.set(sender, made)
  return made
}

/** Tells collectors of traffic that nobody used the interface: it is a test. */
function marked(request: OutgoingRequest, mark: string): OutgoingRequest {
  return { ...request, headers: [...request.headers, MARK, mark] }
}

/** A request that was sent, with its answer. */
export function exchangeOf(request: OutgoingRequest, response: Exchange['response']): Exchange {
  const { body } = request
  const isText =
    body === null ||
    !/image|octet|zip|pdf|video|audio/.test(headerValue(request.headers, 'content-type') ?? '')
  return {
    request: {
      method: request.method,
      target: request.url,
      version: 'HTTP/1.1',
      headers: request.headers,
      body: body === null ? '' : Buffer.from(body).toString(isText ? 'utf8' : 'base64'),
      ...(isText ? {} : { bodyIsBase64: true }),
    },
    response,
    at: nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
}
