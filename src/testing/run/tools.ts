import type { Exchange } from '../../http/index.ts'
import type { Lookups, Variables } from '../../rules/index.ts'
import type { AttemptEnvironment, CredentialSource, RequestDraft } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import type { EndpointKey } from './pair-result.ts'
import type { RunSessions } from './run-sessions.ts'

/** An answered request of a test. */
export interface SentRequest {
  /** As sent and as answered; of redirects that were followed, the last answer. */
  readonly exchange: Exchange
  readonly responseTimeMs: number
  readonly isTruncated: boolean
}

/** What one run gives to each of its tests. */
export interface RunTools {
  /** Latest sample of an endpoint, with the run's other target laid over it; null when there is none. */
  sampleOf(endpoint: EndpointKey): Exchange | null
  /** Samples of the collection of an endpoint, for plans that follow dependencies; absent in replays. */
  relatedTo?(endpoint: EndpointKey): readonly Exchange[]
  /** The request that tests of an endpoint start from, when it is more than that of its sample. */
  startOf?(endpoint: EndpointKey, sample: Exchange): RequestDraft
  /**
   * Sends through the scope guard, the rate limit and the audit of the run.
   * @throws Failure a code of the sender (TARGET_UNREACHABLE, SEND_STOPPED …)
   */
  send(draft: RequestDraft, options: { followRedirects: boolean; testId: string }): Promise<SentRequest>
  /** What the operations of a template may use; one for each pair. */
  environmentFor(template: Template, endpoint: EndpointKey, variables: Variables): AttemptEnvironment
  readonly lookups: Lookups
  /**
   * What the endpoint answers to its sample now, for methods that only read (RFC 9110 section 9.2.1); asked at most
   * every few seconds. Null for other methods.
   * @throws Failure a code of the sender
   */
  freshAnswer(endpoint: EndpointKey, draft: RequestDraft): Promise<Exchange | null>
  /** Lists of words for names that the selection captured; set as variables. */
  provideCaptured(template: Template, endpoint: EndpointKey, variables: Variables): void
  /** Bodies that a host gives for anything; see default-pages.ts. */
  isDefaultPage(exchange: Exchange): boolean
  /** The template of an id, for steps that run another test. */
  templateOf(testId: string): Template | null
  /** Words of every list of a template: its own, those found in samples, the installation's. */
  wordsFor(template: Template, endpoint: EndpointKey): ReadonlyMap<string, readonly string[]>
  /** Aborted when the run is stopped or out of time. */
  readonly signal: AbortSignal
  /** Waits, but no longer than the run lives. */
  wait(ms: number): Promise<void>
  /** How long call-backs are waited for after the last attempt, in milliseconds. */
  readonly callbackPatienceMs: number
  nowMs(): number
}

/** Tools of a pair that is run with live sessions. */
export interface SessionTools extends RunTools {
  readonly sessions: RunSessions
  credentialsFor(endpoint: EndpointKey, sample: Exchange): CredentialSource
  /** What the endpoint answered a moment ago counts no more: somebody else is asking. */
  forgetFresh(endpoint: EndpointKey): void
}
