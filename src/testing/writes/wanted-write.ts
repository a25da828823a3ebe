import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { saysNo } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import type { SentRequest } from '../run/tools.ts'
import { createdUrls, issuedName } from './created-object.ts'
import type { StandInPlace } from './stand-in-place.ts'
import type { SendDraft } from './undo-write.ts'

/** A request that a test wants to send. */
export interface WantedWrite {
  readonly draft: RequestDraft
  readonly endpoint: EndpointKey
  /** The request that tests of the endpoint start from. */
  readonly start: RequestDraft
  /** The recorded exchange of the endpoint. */
  readonly sample: Exchange | null
  /** Recorded exchanges of the collection. */
  readonly related: readonly Exchange[]
  /** The test guesses secrets: it needs its own account. */
  readonly guesses?: boolean
  /** The URL was made up: there is nothing to change or delete. */
  readonly isInvented?: boolean
  /** A read of an object made in place of the recorded one, where one can be made. */
  readonly isOfStandIn?: boolean
  /** Who may delete what the request makes, where its own credentials do not. */
  readonly deleter?: RequestDraft | null
  /** Where what the request makes is found, where that is not its own address. */
  readonly madeIn?: MadeIn
  /** The request gives the user of this sign-in, which has the recorded password, another one. */
  readonly signIn?: RequestDraft | null
}

/** A list in which something is made by a request to another address. */
interface MadeIn {
  readonly list: string
  /** What was in it before. */
  readonly before: readonly string[]
  /** The answer names it in a field called as one of the list, not by an identifier. */
  readonly isNamed?: boolean
}

/** Requests that may make something in place of a recorded object, at their own address or for the list of the object. */
export function makingsOf({ list, names, isByVerb = false }: StandInPlace, here: WantedWrite): WantedWrite[] {
  const isNamed = names !== undefined
  if (list === undefined || !(isByVerb || isNamed)) return [here]
  const elsewhere = { ...here, madeIn: { list, before: [], isNamed } }
  return isNamed ? [elsewhere] : [here, elsewhere]
}

/** URLs of what an answer says that a request made, the likeliest first. */
export function madeUrls({ madeIn }: WantedWrite, exchange: Exchange): string[] {
  const urls = createdUrls(exchange)
  if (madeIn === undefined) return urls
  const { list, before, isNamed = false } = madeIn
  const name = isNamed ? issuedName(exchange, list) : null
  const ids = isNamed ? (name === null ? [] : [name]) : urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
  return ids.filter((id) => !before.includes(id)).map((id) => `${list}/${id}`)
}

/** Sends a request as it stands, with what was measured. */
export type Transmit = (draft: RequestDraft) => Promise<SentRequest>

/** Sends a request without following where it leads; only its answer counts. */
export function sendWith(transmit: Transmit): SendDraft {
  return (one) => transmit({ ...one, followRedirects: false }).then(({ exchange }) => exchange)
}

/** What makes something in another list, with what was in the list before. */
export function withBefore(creation: WantedWrite, before: readonly string[]): WantedWrite {
  return creation.madeIn === undefined ? creation : { ...creation, madeIn: { ...creation.madeIn, before } }
}

/** Whether an answer says that a request was carried out. */
export function isWelcome({ response: { status, body } }: Exchange): boolean {
  return status < 300 && !saysNo(body)
}

/** @param isFinal no write level lets the request through */
export function refused({ method, url }: RequestDraft, reason: string, isFinal = false): Failure {
  return new Failure('WRITE_NOT_REVERSIBLE', { method, url, reason, ...(isFinal ? { isFinal } : {}) })
}
