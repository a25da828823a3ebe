import {
  absoluteUrl,
  delay,
  type Exchange,
  headerValue,
  type OutgoingRequest,
  type Sender,
  type SendPurpose,
} from '../../http/index.ts'
import { nowMs, nowSeconds } from '../../kit/index.ts'
import type { Lookups } from '../../rules/index.ts'
import {
  type AttemptEnvironment,
  type CallbackPort,
  type CredentialSource,
  OWN_FILES,
  outgoingRequest,
  type RequestDraft,
} from '../attempts/index.ts'
import { IdentifiedSend } from '../sessions/identified-send.ts'
import type { Template } from '../template/index.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { provideDynamicLists, resolveWordLists } from '../word-lists/resolve-word-lists.ts'
import type { DefaultPages } from './default-pages.ts'
import type { EndpointKey } from './pair-result.ts'
import { lookupsOfRun, NO_SESSIONS, type RunSessions, sampleOfRun, startOfRun } from './run-sessions.ts'
import type { SessionTools } from './tools.ts'

/** What a run has loaded before its first request. */
export interface RunMaterial {
  /** Latest sample of each endpoint of the run. */
  readonly samples: SampleShelf
  readonly templates: ReadonlyMap<string, Template>
  readonly sender: Sender
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
}

/** Methods that only read (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Header of all requests of tests, which the inventory leaves out. */
const MARK = 'x-vigil-test'
/** How long an answer counts as fresh. */
const FRESH_MS = 3_000

/** Answers to unchanged samples, asked for once for all tests that need them at the same time. */
export class FreshAnswers {
  readonly #answers = new Map<string, { at: number; answer: Promise<Exchange> }>()

  of(endpoint: EndpointKey, ask: () => Promise<Exchange>): Promise<Exchange> {
    const key = keyOf(endpoint)
    const known = this.#answers.get(key)
    if (known !== undefined && nowMs() - known.at < FRESH_MS) return known.answer
    const answer = ask()
    answer.catch(() => this.#answers.delete(key))
    this.#answers.set(key, { at: nowMs(), answer })
    return answer
  }

  /** What the endpoint answered counts no more: somebody else is asking. */
  forget(endpoint: EndpointKey): void {
    this.#answers.delete(keyOf(endpoint))
  }
}

/** Samples by endpoint. */
export class SampleShelf {
  readonly #byEndpoint = new Map<string, Exchange>()
  readonly #byCollection = new Map<number, Exchange[]>()

  put(endpoint: EndpointKey, sample: Exchange): void {
    this.#byEndpoint.set(keyOf(endpoint), sample)
    const known = this.#byCollection.get(endpoint.collectionId)
    if (known === undefined) this.#byCollection.set(endpoint.collectionId, [sample])
    else known.push(sample)
  }

  of(endpoint: EndpointKey): Exchange | null {
    return this.#byEndpoint.get(keyOf(endpoint)) ?? null
  }

  ofCollection(collectionId: number): readonly Exchange[] {
    return this.#byCollection.get(collectionId) ?? []
  }

  all(): Exchange[] {
    return [...this.#byEndpoint.values()]
  }

  /** Sends every sample to another scheme, host and port; the path of the URL, when it has one, goes in front. */
  redirect(url: string): void {
    const target = new URL(url)
    const moved = (sample: Exchange): Exchange => {
      const old = absoluteUrl(sample.request)
      if (!URL.canParse(old)) return sample
      const rest = old.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
      const headers = sample.request.headers.map((part, i, all) =>
        i % 2 === 1 && all[i - 1]!.toLowerCase() === 'host' ? target.host : part,
      )
      const prefix = target.pathname.replace(/\/$/, '')
      return { ...sample, request: { ...sample.request, target: target.origin + prefix + rest, headers } }
    }
    for (const [key, sample] of this.#byEndpoint) this.#byEndpoint.set(key, moved(sample))
    for (const [id, samples] of this.#byCollection) this.#byCollection.set(id, samples.map(moved))
  }
}

function keyOf(endpoint: EndpointKey): string {
  return `${endpoint.collectionId} ${endpoint.method} ${endpoint.url}`
}

/** The tools of one pair, or of many that end together; `signal` ends them. */
export function runTools(material: RunMaterial, signal: AbortSignal): SessionTools {
  const { samples, templates, defaultPages, sessions } = material
  const lookups = lookupsOfRun(material)
  const sender = identifiedSend(material.sender)
  return {
    sampleOf: (endpoint) => sampleOfRun(material, endpoint),
    relatedTo: (endpoint) => samples.ofCollection(endpoint.collectionId),
    startOf: (endpoint, sample) => startOfRun(material, endpoint, sample),
    sessions: sessions ?? NO_SESSIONS,
    credentialsFor: (endpoint, sample) => material.credentialsFor(endpoint, sample),
    lookups,
    signal,
    callbackPatienceMs: material.callbackPatienceMs,
    nowMs,
    wait: (ms) => delay(ms, signal),
    isDefaultPage: (exchange) => defaultPages.has(exchange),
    templateOf: (testId) => templates.get(testId) ?? null,
    wordsFor: (template, endpoint) =>
      resolveWordLists(
        template.wordLists,
        { own: samples.of(endpoint), ofCollection: () => samples.ofCollection(endpoint.collectionId) },
        material.words,
      ),
    provideCaptured: (template, endpoint, variables) =>
      provideDynamicLists(
        template.wordLists,
        { own: samples.of(endpoint), ofCollection: () => samples.ofCollection(endpoint.collectionId) },
        variables,
      ),
    forgetFresh: (endpoint) => material.freshAnswers.forget(endpoint),
    freshAnswer(endpoint, draft) {
      if (!SAFE_METHODS.has(draft.method)) return Promise.resolve(null)
      return material.freshAnswers.of(endpoint, () =>
        this.send(draft, { followRedirects: true, testId: '' }).then((sent) => sent.exchange),
      )
    },
    environmentFor: (_template, endpoint, variables): AttemptEnvironment => ({
      variables,
      credentials: material.credentialsFor(endpoint, samples.of(endpoint)!),
      callback: material.callback,
      keys: material.keys,
      nowSeconds,
      files: OWN_FILES,
    }),
    async send(draft, { followRedirects, testId }) {
      const request = marked(outgoingRequest(material.edit?.(draft) ?? draft), material.mark ?? '1')
      // An id must be known everywhere before a target can call with it.
      if (material.callback?.settled !== undefined) await material.callback.settled()
      const options = { followRedirects, signal, purpose: { ...material.purpose, testId } }
      const sent = await sender.send(request, options, draft.identity)
      return {
        exchange: exchangeOf(request, sent.response),
        responseTimeMs: sent.totalMs,
        isTruncated: sent.isTruncated,
      }
    },
  }
}

const identified = new WeakMap<Sender, IdentifiedSend>()

/** One for each sender: what servers asked for is remembered for the whole run. */
function identifiedSend(sender: Sender): IdentifiedSend {
  const known = identified.get(sender)
  if (known !== undefined) return known
  const made = new IdentifiedSend(sender)
  identified.set(sender, made)
  return made
}

/** Tells collectors of traffic that nobody used the interface: it is a test. */
function marked(request: OutgoingRequest, mark: string): OutgoingRequest {
  return { ...request, headers: [...request.headers, MARK, mark] }
}

function exchangeOf(request: OutgoingRequest, response: Exchange['response']): Exchange {
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
