import { harmOf, harmOfTarget } from '../../http/harmful-words.ts'
import { type HeaderList, headerValue } from '../../http/index.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import type { GuardedRequest } from '../browser/request-guard.ts'
import { MESSAGE_METHOD } from '../browser/socket-guard.ts'
import { requestKind, segmentTemplate } from '../explore/locations.ts'
import { changingWord, operationInUrl } from './changing-words.ts'
import { createdUrl, OwnDrafts } from './own-drafts.ts'
import { mutationIn, readsByContent, readsByMethod, renewsSession } from './reading-request.ts'
import { socketMessageReads } from './socket-message.ts'

/** {@link DriverPage.cause} of requests that remove what the crawl made. */
export const CLEANUP_CAUSE = 'clean up'

/** Kinds that make up a page, whose paths say nothing of what they do. */
const MATERIAL = new Set(['Stylesheet', 'Image', 'Media', 'Font', 'Script', 'TextTrack', 'Manifest'])
/** Controls, and kinds of held requests, that are remembered. */
const MOST_CONTROLS = 5_000
const MOST_KINDS = 2_000
/** Headers of a request that let anyone who sends them in. */
const LETS_IN = /^(?:authorization|x-[\w-]*(?:csrf|xsrf|token|auth|key)[\w-]*|csrf-token|xsrf-token)$/i

/** Kinds of requests that were not sent, and how often each was about to be. */
interface HeldKind {
  /** Method and path template. */
  readonly kind: string
  readonly reason: string
  times: number
}

/**
 * Keeps a crawl from changing anything: each request is judged before it leaves, by method, path, body and what stands
 * around the control that caused it. What cannot be told to read is held back. Held requests teach which controls change
 * something, and what can be deleted; with that, the crawl's own drafts may be made, and are removed at the end.
 */
export class ChangeFilter {
  readonly drafts = new OwnDrafts()
  /** Text of a control, and around it, by the cause that names it. */
  readonly #around = new Map<string, string>()
  /** Controls whose requests were held back, by what stands on them. */
  readonly #changing = new Set<string>()
  readonly #held = new Map<string, HeldKind>()
  readonly #reads = new Set<string>()

  /** Notes what stands on and around a control before it is used. */
  intend(cause: string, around: string): void {
    if (this.#around.size >= MOST_CONTROLS) this.#around.clear()
    this.#around.set(cause, around.slice(0, 1_000))
  }

  /** Adds what a dialog says that a control opened. */
  hear(cause: string | null, text: string): void {
    if (cause !== null) this.intend(cause, `${this.#around.get(cause) ?? ''} ${text.slice(0, 300)}`)
  }

  /** Why a request is held back; null when it may go. */
  holds(request: GuardedRequest): string | null {
    const { url, method, kind, body, cause } = request
    if (method === MESSAGE_METHOD) {
      return socketMessageReads(body ?? '')
        ? null
        : this.#hold(request, 'a message of a web socket may change something')
    }
    if (cause === CLEANUP_CAUSE && this.drafts.isAboutOwn(url)) return null
    if (method === 'DELETE') {
      this.drafts.noteDelete(url)
      return this.drafts.isAboutOwn(url) ? null : this.#hold(request, 'the method is DELETE')
    }
    if (MATERIAL.has(kind) || method === 'OPTIONS') return null
    const harm = harmOfTarget(url.pathname + url.search)
    if (harm !== null) return this.#hold(request, `the path ${harm}`)
    if (readsByMethod(method)) return this.#holdsReading(request)
    if (renewsSession(request) || readsByContent(request)) return null
    if (this.drafts.isAboutOwn(url) || this.drafts.mayMake(request)) return null
    const mutation = mutationIn(body)
    return this.#hold(
      request,
      mutation === null ? `${method} may change something` : `the mutation ${mutation} may change something`,
    )
  }

  /** Learns from an answer: what was created, and which requests pages read by. */
  heard({ exchange, url, cause, outcome }: CapturedExchange): void {
    if (outcome !== 'answered' || !URL.canParse(url)) return
    const { request, response } = exchange
    const at = new URL(url)
    if (request.method === 'GET' && !this.#speaksOfChange(cause)) this.#noteRead(requestKind('GET', at))
    if (request.method !== 'POST' || response.status < 200 || response.status >= 300) return
    // Held requests do not get here: what was let through renews the session, reads, or makes a draft.
    const sent = { url: at, method: 'POST', body: request.body }
    if (renewsSession(sent) || readsByContent(sent) || this.drafts.isAboutOwn(at)) return
    const made = createdUrl(at, headerValue(response.headers, 'location'), response.body)
    if (made === null) return
    const headers = lettingIn(request.headers)
    this.drafts.keep({ url: made, headers })
  }

  /** Kinds of requests that were held back, those met most often first. */
  get held(): readonly HeldKind[] {
    return [...this.#held.values()].sort((left, right) => right.times - left.times)
  }

  #holdsReading(request: GuardedRequest): string | null {
    const { url, kind, cause } = request
    // Scripts of pages know what GET means; old applications act by loading a page, and guesses know nothing.
    if (kind !== 'Document' && cause !== 'probe') return null
    const operation = operationInUrl(url, (segment) => segmentTemplate(segment) !== segment)
    if (operation !== null) return this.#hold(request, `the address asks to ${operation}`)
    if (!this.#speaksOfChange(cause)) return null
    if (this.#reads.has(requestKind('GET', url))) return null
    return this.#hold(request, 'what stands on or around the control speaks of a change')
  }

  #speaksOfChange(cause: string | null): boolean {
    const around = cause === null ? undefined : this.#around.get(cause)
    if (around === undefined) return false
    return harmOf(around) === 'destroys' || this.#changing.has(controlOf(around))
  }

  #hold({ url, method, cause }: GuardedRequest, reason: string): string {
    const kind = requestKind(method, url)
    const known = this.#held.get(kind)
    if (known !== undefined) known.times++
    else if (this.#held.size < MOST_KINDS) this.#held.set(kind, { kind, reason, times: 1 })
    const around = cause === null ? undefined : this.#around.get(cause)
    if (around !== undefined && changingWord(around) !== null && this.#changing.size < MOST_CONTROLS)
      this.#changing.add(controlOf(around))
    return reason
  }

  #noteRead(kind: string): void {
    if (this.#reads.size < MOST_CONTROLS) this.#reads.add(kind)
  }
}

/** Headers of a request without which it would be refused. */
function lettingIn(headers: HeaderList): Record<string, string> {
  const kept: Record<string, string> = {}
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (LETS_IN.test(headers[i]!)) kept[headers[i]!] = headers[i + 1]!
  return kept
}

/** What stands on a control, numbers aside. */
function controlOf(around: string): string {
  return around.replace(/\d+/g, '#').trim().slice(0, 60)
}
