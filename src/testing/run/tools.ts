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

/** How a request of a test is sent. */
export interface SendToTarget {
  readonly followRedirects: boolean
  readonly testId: string
  /** The endpoint under test: its recorded request shows how to undo what this one writes. */
  readonly endpoint?: EndpointKey
  /** An answer of the last minutes to the same request does as well. */
  readonly mayShare?: boolean
  /** The test measures how long answers take. */
  readonly measuresTime?: boolean
  /** The test guesses secrets: it needs its own account, or the consent of the owner. */
  readonly guesses?: boolean
  /** The URL was made up: there is nothing to change or delete. */
  readonly isInvented?: boolean
  /** A read of an object that the test may have deleted: then it is of a new one like it, where one can be made. */
  readonly isOfStandIn?: boolean
  /** It is this request of the role itself, not an attack on the sample of the endpoint: it is undone as it is sent. */
  readonly own?: Exchange
  /** The request gives the user of this sign-in another password. */
  readonly signIn?: RequestDraft
}

/** Whether a function was carried out for a role, or refused to it. */
export type RoleOutcome = 'used' | 'refused'

/**
 * What lists tell about an object: nothing, that there is one of its name, that its owner and the role were also recorded
 * being shown the same objects there (mutual), or that it is shared, since an entry has its values. Granted: they show it,
 * and the application told the role that it may write such objects there. Member: no list, but the application told the
 * role that it belongs to what the path names. Hidden: the list above it shows it to its owner, and leaves it out for the
 * role.
 */
export type Listing = 'none' | 'named' | 'mutual' | 'shared' | 'granted' | 'member' | 'hidden'

/** What one run gives to each of its tests. */
export interface RunTools {
  /** Latest sample of an endpoint, with the run's other target laid over it; null when there is none. */
  sampleOf(endpoint: EndpointKey): Exchange | null
  /**
   * What a role is answered to its own recorded request of an endpoint, sent with its credentials of today: it shows
   * whether the role may use the endpoint at all. Null where none was recorded, or it may not be repeated.
   * @throws Failure a code of the sender
   */
  ownAnswer(role: string, endpoint: EndpointKey): Promise<Exchange | null>
  /**
   * What a role is answered to the list that the objects of an endpoint are in. Null where none was recorded.
   * @throws Failure a code of the sender
   */
  listAnswer(role: string, endpoint: EndpointKey): Promise<Exchange | null>
  /**
   * What the lists that a role is shown tell about an object in the path of the recorded request.
   * @param answer what the role was answered to the request
   * @throws Failure a code of the sender
   */
  listingFor(role: string, endpoint: EndpointKey, answer: Exchange): Promise<Listing>
  /**
   * Whether an object in the path of the recorded request is shared with a role: the list above it shows it as a whole.
   * @throws Failure a code of the sender
   */
  isPartOfShared(role: string, endpoint: EndpointKey): Promise<boolean>
  /**
   * What becomes of the recorded request of a function when a role sends it; its writes pass the write guard. Null where
   * it was not carried out for another reason than a refusal, or may not be sent.
   * @throws Failure SEND_STOPPED when the run ended meanwhile
   */
  outcomeAs(role: string, endpoint: EndpointKey): Promise<RoleOutcome | null>
  /** Samples of the collection of an endpoint, for plans that follow dependencies; absent in replays. */
  relatedTo?(endpoint: EndpointKey): readonly Exchange[]
  /** A sign-in of the user who sent the sample of an endpoint, made of a recorded one; null where none was recorded. */
  signInOf(endpoint: EndpointKey): Exchange | null
  /** The request that tests of an endpoint start from, when it is more than that of its sample. */
  startOf?(endpoint: EndpointKey, sample: Exchange): RequestDraft
  /**
   * Sends through the scope guard, the rate limit and the audit of the run, and what writes through its write level.
   * @throws Failure WRITE_NOT_REVERSIBLE, or a code of the sender (TARGET_UNREACHABLE, SEND_STOPPED …)
   */
  send(draft: RequestDraft, options: SendToTarget): Promise<SentRequest>
  /** What the operations of a template may use; one for each pair. */
  environmentFor(template: Template, endpoint: EndpointKey, variables: Variables): AttemptEnvironment
  readonly lookups: Lookups
  /** Whether the run has found that any field is kept there. */
  isLooseStore(endpoint: EndpointKey): boolean
  /** A test found that any field is kept there. */
  noteLooseStore(endpoint: EndpointKey): void
  /**
   * What the endpoint answers to its sample now, for methods that only read (RFC 9110 section 9.2.1); asked at most
   * every few seconds. Null for other methods.
   * @throws Failure a code of the sender
   */
  freshAnswer(endpoint: EndpointKey, draft: RequestDraft): Promise<Exchange | null>
  /**
   * What the endpoint answers to its sample now, for methods that write and may be repeated (POST, PUT, PATCH); asked at
   * most once a minute, because it writes. Null for other methods.
   * @throws Failure a code of the sender
   */
  unchangedAnswer(endpoint: EndpointKey, draft: RequestDraft): Promise<Exchange | null>
  /** What the settings of the run make of a request; absent: nothing. */
  editOf?(draft: RequestDraft): RequestDraft
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
  /** How long callbacks are waited for after the last attempt, in milliseconds. */
  readonly callbackPatienceMs: number
  nowMs(): number
  /** Undoes what the test wrote up to now; also after the run was stopped. Absent in replays. */
  undoWrites?(testId: string, which?: UndoneWrites): Promise<void>
}

/** Which writes are undone; what was made is otherwise left to the end of the execution. */
export type UndoneWrites = 'all' | 'changes'

/** Tools of a pair that is run with live sessions. */
export interface SessionTools extends RunTools {
  /** Samples that a test can start from, the best one first: of callers that the test does not act as. */
  samplesFor(template: Template, endpoint: EndpointKey): readonly Exchange[]
  /** The same tools with one of {@link samplesFor} as the sample of the endpoint. */
  withSample(endpoint: EndpointKey, sample: Exchange): SessionTools
  /** The same tools, ended by a signal as well. */
  within(signal: AbortSignal): SessionTools
  /**
   * The same tools with other recorded callers as the attacker, where it cannot use the endpoint because the endpoint takes
   * credentials of another kind.
   */
  withStandIns(endpoint: EndpointKey): readonly SessionTools[]
  readonly sessions: RunSessions
  credentialsFor(endpoint: EndpointKey, sample: Exchange): CredentialSource
  /** What the endpoint answered a moment ago no longer counts: somebody else is asking. */
  forgetFresh(endpoint: EndpointKey): void
}
