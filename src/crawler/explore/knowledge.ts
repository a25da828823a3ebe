import { headerValue } from '../../http/index.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import { OwnAccount } from '../safety/own-account.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import { BoundedSet } from './bounded-set.ts'
import { requestKind } from './locations.ts'
import { ObservedPaths } from './observed-paths.ts'
import type { Learn } from './shared-memory.ts'

/** What a request with other names in its query is worth beside one to another path: it is the same operation, filtered. */
const FILTERED = 0.25
/** Most names for which values are remembered. */
const MAX_NAMES = 800
/** Note of a kind whose probe was refused: other values for it may be let in. */
export const REFUSED = 'refused'

/**
 * What requests of the crawl have taught: which kinds there are, who answers what, values of fields, credentials in
 * headers. Everything in it is bounded.
 */
export class Knowledge {
  readonly #scope: CrawlScope
  readonly #learn: Learn
  readonly #kinds = new BoundedSet(50_000)
  /** Those that pages sent on their own: what a probe asked for may still be news when a page sends it. */
  readonly #pageKinds = new BoundedSet(50_000)
  /** The same without the names of their queries. */
  readonly #operations = new BoundedSet(50_000)
  /** Those that probes sent and that were not refused. */
  readonly #acceptedProbes = new BoundedSet(50_000)
  readonly #acceptedWrites = new BoundedSet(5_000)
  readonly #welcome = new BoundedSet(5_000)
  readonly #values = new Map<string, string>()
  readonly #findsByPage = new Map<string, number>()
  #authorization: string | null = null
  #suspicion: string | null = null
  /** Kinds that were answered with 401 or 403. */
  readonly #refused = new BoundedSet(5_000)
  #refusedCount = 0
  /** Kinds that were refused after they had been let in. */
  readonly #guarded = new BoundedSet(1_000)
  #welcomeMs = 0
  /** Kinds seen so far, more than are remembered. */
  kindCount = 0
  lastFindMs = performance.now()
  /** Paths that pages asked for, and ids in the lists that came back. */
  readonly paths: ObservedPaths
  /** The account that the crawl has signed in by. */
  readonly account: OwnAccount
  /** Kinds of requests that write and were accepted: with each the application may offer more than before. */
  writes = 0

  constructor(scope: CrawlScope, learn: Learn = () => {}, identity = 'anonymous') {
    this.#scope = scope
    this.#learn = learn
    this.account = new OwnAccount(identity)
    this.paths = new ObservedPaths(identity)
  }

  /**
   * Takes in one exchange. `isShell`: other addresses gave the same document, so that what is there shows in other requests.
   *
   * @returns whether it is of a kind that was not seen before
   */
  note(captured: CapturedExchange, isShell = false): boolean {
    if (captured.outcome === 'blocked' || !URL.canParse(captured.url)) return false
    const url = new URL(captured.url)
    if (!this.#scope.hasHost(url)) return false
    if (captured.cause === 'probe') {
      this.#noteProbe(url, captured)
      return false
    }
    const { request, response } = captured.exchange
    const kind = requestKind(request.method, url)
    this.#noteStatus(kind, response.status)
    const authorization = headerValue(request.headers, 'authorization')
    if (authorization) this.#authorization = authorization
    if (!isDataKind(captured.kind)) return false
    const isBinary = response.bodyIsBase64 === true
    this.#noteValues(response.body, isBinary)
    if (response.status === 200 && !isBinary) this.account.note(url, response.body)
    if (/^(?:XHR|Fetch)$/.test(captured.kind) && response.status >= 200 && response.status < 300)
      this.#notePath(url, captured)
    if (isWrite(request.method) && response.status >= 200 && response.status < 400) {
      if (this.noteWrite(kind)) this.#learn('write', kind)
    }
    const isNew = this.noteKind(kind, captured.pageId, isShell)
    if (isNew) this.#learn('kind', kind)
    return isNew
  }

  /** A list that the crawl asked for itself has ids as well; a document may be what any path is answered with. */
  #noteProbe(url: URL, captured: CapturedExchange): void {
    const { request, response } = captured.exchange
    if (response.status < 200 || response.status >= 300) return
    if (request.method !== 'GET') this.#notePath(url, captured)
    else if (response.status === 200 && /^\s*[[{]/.test(response.body) && response.bodyIsBase64 !== true) {
      this.account.note(url, response.body)
      this.paths.note(url, response.body, false)
    }
  }

  /** Takes in the path of a request that was answered well, and what it says was made or deleted there. */
  #notePath(url: URL, { cause, exchange: { request, response } }: CapturedExchange): void {
    const body = response.bodyIsBase64 === true ? '' : response.body
    if (cause !== 'probe') this.paths.note(url, request.method === 'GET' ? body : '')
    if (request.method === 'DELETE') this.paths.noteDeleted(url)
    // What a login makes, such as a session, is that of the crawl's account.
    if (request.method !== 'POST' || cause === LOGIN_CAUSE) return
    const location = headerValue(response.headers, 'location') ?? undefined
    this.paths.noteMade(url, body, location, (id) => this.account.isOwn(url.pathname, id))
  }

  /** Counts a kind that writes and was accepted. @returns whether it is the first of its kind */
  noteWrite(kind: string): boolean {
    if (!this.#acceptedWrites.add(kind)) return false
    this.writes++
    return true
  }

  /** Counts a kind that a probe found, and tells others of it. @returns whether nobody had sent it before */
  noteProbed(kind: string, isRefused = false): boolean {
    const isNew = !this.#kinds.has(kind)
    const isFirstAccepted = !isRefused && !this.#acceptedProbes.has(kind)
    this.restoreProbed(kind, isRefused)
    if (isNew || isFirstAccepted) this.#learn('probed', kind, 1, isRefused ? REFUSED : '')
    return isNew
  }

  /** Takes in what a process learned of a kind that a probe found. */
  restoreProbed(kind: string, isRefused: boolean): void {
    if (!isRefused) this.#acceptedProbes.add(kind)
    if (!this.#kinds.add(kind)) return
    this.kindCount++
    this.lastFindMs = performance.now()
  }

  /** Counts a kind of request that a page sent. @returns whether no page had sent it before */
  noteKind(kind: string, pageId: string, isShell = false): boolean {
    if (this.#kinds.add(kind)) this.kindCount++
    if (!this.#pageKinds.add(kind)) return false
    this.lastFindMs = performance.now()
    const worth = this.#operations.add(kind.replace(/\?.*$/s, '')) ? 1 : FILTERED
    if (isShell) return true
    // Pages that are gone no longer ask.
    if (this.#findsByPage.size > 200) this.#findsByPage.clear()
    this.#findsByPage.set(pageId, (this.#findsByPage.get(pageId) ?? 0) + worth)
    return true
  }

  /** New kinds that a page brought since it was asked last: 1 for each operation, less for another query of a known one. */
  takeFinds(pageId: string): number {
    const finds = this.#findsByPage.get(pageId) ?? 0
    this.#findsByPage.delete(pageId)
    return finds
  }

  /** Whether a probe of a kind can still tell something: no page has sent it, and other values for it were refused at most. */
  isOpen(kind: string): boolean {
    return !this.#pageKinds.has(kind) && !this.#acceptedProbes.has(kind)
  }

  hasKind(kind: string): boolean {
    return this.#kinds.has(kind)
  }

  /** Kinds that were refused with 401 or 403 and never let in. */
  get refusedCount(): number {
    return this.#refusedCount
  }

  /** Last Authorization header that the application sent; null when it sends none. */
  get authorization(): string | null {
    return this.#authorization
  }

  /** Value seen for a field of this name in an answer; null when none was. */
  valueOf(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  /** Why the session may be lost, once; null when nothing speaks for it. */
  takeSuspicion(): string | null {
    const suspicion = this.#suspicion
    this.#suspicion = null
    return suspicion
  }

  suspect(reason: string): void {
    this.#suspicion ??= reason
  }

  /** Since when (milliseconds of `performance.now()`) the session may have been lost: the last time it was there. */
  get lostSinceMs(): number {
    return this.#welcomeMs
  }

  #noteStatus(kind: string, status: number): void {
    if (status >= 200 && status < 300) {
      if (this.#welcome.add(kind) && this.#refused.has(kind)) this.#refusedCount--
      if (this.#guarded.has(kind)) this.#welcomeMs = performance.now()
    } else if (status === 401 || status === 403) {
      if (!this.#welcome.has(kind)) {
        if (this.#refused.add(kind)) this.#refusedCount++
        return
      }
      this.#guarded.add(kind)
      this.suspect(`${kind} was answered with ${status}`)
    }
  }

  #noteValues(body: string, isBase64: boolean): void {
    if (isBase64 || body.length > 100_000 || this.#values.size >= MAX_NAMES) return
    for (const match of body.matchAll(/"([\w-]{1,40})"\s{0,2}:\s{0,2}(?:"([^"\\]{1,80})"|(\d{1,15}))/g)) {
      const name = match[1]!.toLowerCase()
      if (this.#values.size >= MAX_NAMES) return
      if (!this.#values.has(name)) this.#values.set(name, match[2] ?? match[3]!)
    }
  }
}

/** Whether a method asks for a change. */
export function isWrite(method: string): boolean {
  return !/^(GET|HEAD|OPTIONS|CONNECT|TRACE)$/.test(method)
}

/** Requests that are of the application, not of its presentation. */
function isDataKind(kind: CapturedExchange['kind']): boolean {
  return /^(Document|XHR|Fetch|EventSource|WebSocket|Ping|Other)$/.test(kind)
}
