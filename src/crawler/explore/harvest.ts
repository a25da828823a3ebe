import { harmOf } from '../../http/harmful-words.ts'
import { ordersAtOnce } from '../safety/changing-words.ts'
import { standsForCaller } from '../safety/own-account.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import { BoundedSet } from './bounded-set.ts'
import type { CrawlPorts, Provenance } from './crawl-ports.ts'
import type { WorkItem } from './frontier.ts'
import { LanguagePaths } from './language-paths.ts'
import {
  isDownload,
  isRouteHash,
  isStaticFile,
  locationKey,
  pageUrl,
  pathTemplate,
  requestKind,
} from './locations.ts'
import type { Learn } from './shared-memory.ts'
import { LeftOutNotes } from './summarise.ts'

/** Pages visited of one location; more when they turn out to call different things. */
const SAMPLES = 3
const FRUITFUL_SAMPLES = 10
/** Pages of locations that differ only in numbers. */
const NUMBERED = 12
/** Queries of one path that each make the next one wait longer. */
const MOST_FILTERS = 4
/** How much later each further page of a folder is loaded, and how many make it later. */
const LATER_IN_FOLDER = 1.5
const MOST_IN_FOLDER = 6
/** Probes that write, at most. */
const MAX_WRITES = 2_000
/** How much earlier an endpoint is asked for whose parameters are known: guesses come after it, also those that read. */
const KNOWN_BONUS = 12
/** The same of one that is likely, and of what has the path of an API: what a script seems to name is mostly something else. */
const LIKELY_BONUS = 2
const API_BONUS = 1
const API_PATH = /^\/(?:api|rest|v\d+|graphql|rpc|ajax)\//i
/** Paths by which a password is changed. */
const OWN_PASSWORD = /\/(?:(?:change|update|set|new|my|own)[-_]?)*(?:password|passwd|pwd)\/?$/i
/** Scripts fetched only to be read. */
const MAX_SCRIPTS = 2_000
/** Longest text of a link that is an order; a longer one is what it leads to. */
const MAX_ORDER = 60
/** How much later a page is loaded that only a script names: most of its routes are pages behind others, or no longer exist. */
const GUESS_PENALTY = 12
/** End of the key of such a page. A link to it counts more, and is queued beside it. */
const GUESSED = ' guessed'
/** End of the key of an endpoint whose parameters are known. */
const KNOWN = ' known'
/** Deepest path that is followed. */
const MAX_DEPTH = 12

/** A URL with where it stands and what it is worth. */
export interface Candidate extends Provenance {
  readonly url: string
  readonly origin: string
  /** `page` is visited, `file` is only recorded, `endpoint` is asked for, `script` is fetched to be read. */
  readonly use: 'page' | 'file' | 'endpoint' | 'script'
  readonly method?: string
  readonly bodyKeys?: readonly string[] | null
  /** A script sends it or writes to its list, and traffic has told its parameters. */
  readonly isKnown?: boolean
  /** A script speaks of it, below a part of a path that pages asked for. */
  readonly isLikely?: boolean
  /** A script names it elsewhere; it may belong here. */
  readonly isMoved?: boolean
  /** Its link is in the navigation: it is a part of the application, not one record of many. */
  readonly inNavigation?: boolean
}

/** What a load carries. */
export interface LoadPayload {
  readonly url: string
  readonly sourceUrl: string
  readonly sourceXpath: string
  readonly text: string
  /** The navigation of a page names it. */
  readonly isPart?: boolean
  /** It was loaded before, and may have been slow to show what it has. */
  readonly isAgain?: boolean
}

/** What a probe carries. */
export interface ProbePayload {
  readonly url: string
  readonly method: string
  readonly bodyKeys: readonly string[] | null
  /** What is recorded as found once it was answered; absent for what was recorded already. */
  readonly guess?: Candidate
}

/** The element that a call was made by, and what it is called; empty for calls that no action made. */
export type CallElement = Pick<Provenance, 'sourceXpath' | 'text'>

/**
 * Takes URLs from everywhere: judges, records and queues them. Each location is queued a few times only, so that
 * calendars and catalogues come to an end.
 */
export class Harvest {
  readonly #scope: CrawlScope
  readonly #ports: CrawlPorts
  readonly #allowsHarm: boolean
  readonly #learn: Learn
  readonly #isSignedIn: boolean
  /** What is left out, for the summary. */
  readonly leftOut = new LeftOutNotes()
  readonly #recorded = new BoundedSet(50_000)
  readonly #queued = new BoundedSet(50_000)
  readonly #skipped = new BoundedSet(50_000)
  readonly #perLocation = new Map<string, number>()
  readonly #fruitful = new BoundedSet(5_000)
  /** Pages that only scripts named and that were loaded nevertheless. */
  readonly #guessed = new BoundedSet(10_000)
  #scripts = 0
  readonly #hashPages = new BoundedSet(1_000)
  readonly #surveyed = new BoundedSet(5_000)
  readonly #languages = new LanguagePaths()
  /** Probes that write, until it is their time; null once it was. */
  #writes: WorkItem[] | null = []

  constructor(
    scope: CrawlScope,
    ports: CrawlPorts,
    allowsHarm: boolean,
    learn: Learn = () => {},
    isSignedIn = ports.session !== null,
  ) {
    this.#isSignedIn = isSignedIn
    this.#scope = scope
    this.#ports = ports
    this.#allowsHarm = allowsHarm
    this.#learn = learn
  }

  /** Whether the document at this URL routes by its fragment: a link to such a route was seen. */
  usesHashRoutes(url: URL): boolean {
    return this.#hashPages.has(url.origin + url.pathname)
  }

  /** Notes that what a page links to is known, and whether its own address has a route in the fragment. */
  noteSurveyed(url: URL): void {
    this.#surveyed.add(url.origin + url.pathname)
    if (isRouteHash(url.hash)) this.#noteRouted(url)
  }

  wasSurveyed(url: URL): boolean {
    return this.#surveyed.has(url.origin + url.pathname)
  }

  /** Takes candidates in. @returns how many were queued */
  async take(candidates: readonly Candidate[]): Promise<number> {
    const items: WorkItem[] = []
    for (const candidate of candidates) {
      if (!URL.canParse(candidate.url) || candidate.url.length > 2000) continue
      const url = new URL(candidate.url)
      if (isRouteHash(url.hash)) this.#noteRouted(url)
      const item = await this.#judge(candidate, url)
      if (item) items.push(item)
    }
    return this.#add(items)
  }

  /** Others pass over what was queued, but only once it is. */
  async #add(items: readonly WorkItem[]): Promise<number> {
    if (items.length === 0) return 0
    const added = await this.#ports.frontier.add(items)
    for (const { key, location } of items) this.#learn('queued', `${key}\n${location}`)
    return added
  }

  /** Notes work that somebody else has queued: it takes the room of its location. */
  noteQueued(key: string, location: string): void {
    if (!this.#queued.add(key)) return
    if (!key.startsWith('load '))
      return void this.#hasRoom(`${key.split(' ', 2).join(' ')} ${location}`, SAMPLES)
    this.#hasRoom(location, FRUITFUL_SAMPLES)
    const numbered = location.replace(/\d+/g, '#')
    if (numbered !== location) this.#hasRoom(`# ${numbered}`, NUMBERED)
  }

  /** Notes that work begins. @returns false where it loads a page that a script named and that something links to as well */
  beginLoad(key: string): boolean {
    if (!isGuessedLoad(key)) return true
    this.#guessed.add(key)
    return !this.#queued.has(key.slice(0, -GUESSED.length))
  }

  /** Notes that the document at this URL routes by its fragment. */
  noteRouted(document: string): void {
    this.#hashPages.add(document)
  }

  #noteRouted(url: URL): void {
    const document = url.origin + url.pathname
    if (this.#hashPages.add(document)) this.#learn('routed', document)
  }

  /**
   * Queues the probes that write: late, since pages that send such requests themselves send better ones.
   *
   * @returns how many there were
   */
  async releaseWrites(): Promise<number> {
    const items = this.#writes ?? []
    this.#writes = null
    return this.#add(items)
  }

  /** Pages of this location call different things: more of them are worth a visit. */
  markFruitful(location: string): void {
    if (this.#fruitful.add(location)) this.#learn('fruitful', location)
  }

  /** Records a call that a page made; nothing is queued for it. */
  async noteCall(url: URL, pageUrlOfCall: string, element: CallElement): Promise<void> {
    const { accepted, reason } = this.#scope.judge(url)
    const found = { sourceUrl: pageUrlOfCall, ...element, url: url.href, origin: 'call' }
    await this.#record({ ...found, use: 'endpoint' }, url, accepted ? '' : reason)
  }

  async #judge(candidate: Candidate, url: URL): Promise<WorkItem | null> {
    const verdict = this.#scope.judge(url)
    let reason = verdict.reason
    let item: WorkItem | null = null
    let isProbed = false
    if (verdict.accepted) {
      const harm = harmOf(`${url.pathname} ${url.search} ${url.hash}`)
      if (url.pathname.split('/').length > MAX_DEPTH) reason = 'too deep'
      else if (harm !== null && !(this.#allowsHarm && (harm === 'destroys' || !this.#isSignedIn)))
        reason = `avoided: ${harm}`
      else if (this.#isSignedIn && locksOut(candidate, url)) reason = 'avoided: it may lock the crawl out'
      else if (this.#isOrder(candidate, url)) reason = 'avoided: its link speaks of a change'
      else if (candidate.use === 'page' && !isDownload(url) && !isStaticFile(url)) {
        ;({ item, reason } = this.#load(candidate, url))
      } else if (candidate.use === 'script' ? this.#scripts++ < MAX_SCRIPTS : isAskedFor(candidate, url)) {
        ;({ item, reason } = this.#probe(candidate, url))
        isProbed = reason === ''
      }
    }
    if (!isProbed || !isGuess(candidate)) await this.#record(candidate, url, reason)
    return item
  }

  /** Notes operations that were named and never became work, for the summary. */
  noteNamed(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      if (!isNamed(candidate) || !URL.canParse(candidate.url)) continue
      const url = new URL(candidate.url)
      if (this.#scope.judge(url).accepted) this.leftOut.noteNamed(requestKind(candidate.method ?? 'GET', url))
    }
  }

  /** Records a guess that was answered. */
  async noteAnswered(guess: Candidate): Promise<void> {
    await this.#record(guess, new URL(guess.url), '')
  }

  /** Whether following a link may do what stands on it, in a crawl that is to change nothing. */
  #isOrder({ origin, text }: Candidate, url: URL): boolean {
    if (!this.#ports.changes || origin !== 'link' || text.length > MAX_ORDER) return false
    if (harmOf(text) === null && !ordersAtOnce(text)) return false
    return url.search !== '' || pathTemplate(url.pathname) !== url.pathname
  }

  #load(candidate: Candidate, url: URL): { item: WorkItem | null; reason: string } {
    const target = pageUrl(url)
    const isGuess = candidate.origin === 'script'
    const guess = `load ${target}${GUESSED}`
    const key = isGuess ? guess : `load ${target}`
    const isKnown = this.#queued.has(`load ${target}`) || this.#guessed.has(guess)
    if (isKnown || !this.#queued.add(key)) return { item: null, reason: '' }
    // What the user names is loaded in any case.
    if (this.#languages.isTranslation(url) && candidate.origin !== 'start')
      return { item: null, reason: 'another language of a page' }
    const location = locationKey(url, this.#scope)
    const priority = 20 - (url.pathname.split('/').length + (url.hash ? 1 : 0)) * 0.5
    const payload: LoadPayload = {
      url: target,
      sourceUrl: candidate.sourceUrl,
      sourceXpath: candidate.sourceXpath,
      text: candidate.text,
      ...(candidate.inNavigation === true ? { isPart: true } : {}),
    }
    const item = { kind: 'load' as const, key, location, payload: JSON.stringify(payload) }
    // It has its room already.
    if (this.#queued.has(guess) && !isGuess) return { item: { ...item, priority }, reason: '' }
    const isFruitful = this.#fruitful.has(location) && this.#scope.templateOf(url) === null
    if (!this.#hasRoom(location, isFruitful ? FRUITFUL_SAMPLES : SAMPLES)) {
      return { item: null, reason: `enough pages like ${location}` }
    }
    const numbered = location.replace(/\d+/g, '#')
    if (numbered !== location && !this.#hasRoom(`# ${numbered}`, NUMBERED)) {
      return { item: null, reason: `enough pages like ${numbered}` }
    }
    const siblings = this.#perLocation.get(location) ?? 1
    const others = this.#countInFolder(url)
    const inFolder = candidate.inNavigation === true ? 0 : others
    const filters = this.#countFilters(location, siblings === 1)
    const bonus = (candidate.origin === 'start' ? 100 : 0) - (isGuess ? GUESS_PENALTY : 0)
    const later = (siblings + filters) * 4 + Math.min(MOST_IN_FOLDER, inFolder) * LATER_IN_FOLDER
    return { item: { ...item, priority: priority + bonus - later }, reason: '' }
  }

  #probe(candidate: Candidate, url: URL): { item: WorkItem | null; reason: string } {
    url.hash = ''
    const method = candidate.method ?? 'GET'
    if (isNamed(candidate)) this.leftOut.noteNamed(requestKind(method, url))
    // A guess of it may wait behind many others.
    const key = `probe ${method} ${url.href}${candidate.isKnown === true ? KNOWN : ''}`
    if (!this.#queued.add(key) || this.#isLoaded(url)) return { item: null, reason: '' }
    const location = locationKey(url, this.#scope)
    // Values that traffic has told come after guesses, which are mostly refused.
    const room = candidate.isKnown === true ? 2 * SAMPLES : SAMPLES
    if (!this.#hasRoom(`probe ${method} ${location}`, room)) {
      return { item: null, reason: `enough endpoints like ${location}` }
    }
    const payload: ProbePayload = {
      url: url.href,
      method,
      bodyKeys: candidate.bodyKeys ?? null,
      guess: candidate,
    }
    const isRead = method === 'GET' || method === 'HEAD'
    const bonus = bonusOf(candidate, url)
    const priority =
      (isRead ? 10 : method === 'DELETE' ? 1 : 2) + bonus - url.pathname.split('/').length * 0.2
    const item: WorkItem = { kind: 'probe', key, location, priority, payload: JSON.stringify(payload) }
    if (isRead || this.#writes === null) return { item, reason: '' }
    if (this.#writes.length < MAX_WRITES) this.#writes.push(item)
    return { item: null, reason: '' }
  }

  #isLoaded({ href }: URL): boolean {
    return this.#queued.has(`load ${href}`) || this.#queued.has(`load ${href}${GUESSED}`)
  }

  /** Other queries that the path of a location was queued with, up to a few: most are filters of one page. */
  #countFilters(location: string, isNew: boolean): number {
    const path = `? ${location.replace(/\?[^#]*/, '')}`
    if (isNew) this.#hasRoom(path, MOST_FILTERS + 1)
    return (this.#perLocation.get(path) ?? 1) - 1
  }

  /** Pages that were queued before from the folder of a page, below the parts of the application: names of records. */
  #countInFolder({ origin, pathname }: URL): number {
    const folder = pathname.replace(/[^/]*\/?$/, '')
    if (folder.split('/').length <= 2) return 0
    const key = `/ ${origin}${folder}`
    this.#hasRoom(key, MOST_IN_FOLDER + 1)
    return (this.#perLocation.get(key) ?? 1) - 1
  }

  #hasRoom(key: string, limit: number): boolean {
    const count = this.#perLocation.get(key) ?? 0
    if (count >= limit) return false
    this.#perLocation.set(key, count + 1)
    if (this.#perLocation.size > 50_000) {
      const oldest = this.#perLocation.keys().next()
      if (!oldest.done) this.#perLocation.delete(oldest.value)
    }
    return true
  }

  async #record(candidate: Candidate, url: URL, reason: string): Promise<void> {
    const target = pageUrl(url)
    if (reason !== '' && this.#skipped.add(target)) this.leftOut.note(reason, target)
    if (!this.#recorded.add(`${candidate.sourceUrl} ${target}`)) return
    await this.#ports.sink.url({
      url: target,
      accepted: reason === '',
      reason,
      origin: candidate.origin,
      sourceUrl: candidate.sourceUrl,
      sourceXpath: candidate.sourceXpath,
      text: candidate.text.slice(0, 500),
      atMs: Date.now(),
    })
  }
}

/** Whether the key of work is that of loading a page that only a script names. */
export function isGuessedLoad(key: string): boolean {
  return key.endsWith(GUESSED)
}

/** A document says so, or a script calls it by a method that nobody guesses. */
function isNamed({ origin, sourceUrl, method = 'GET', isMoved = false }: Candidate): boolean {
  return origin === 'openapi' ? sourceUrl !== '' : origin === 'script' && method !== 'GET' && !isMoved
}

/** What a script only seems to name, and places where many applications have something: found when a probe is answered. */
function isGuess(candidate: Candidate): boolean {
  return (candidate.origin === 'script' || candidate.origin === 'openapi') && !isNamed(candidate)
}

/** Whether a request that a script names changes the account of the crawl or takes it away, or changes its password. */
function locksOut({ origin, method = 'GET' }: Candidate, { pathname }: URL): boolean {
  if (origin !== 'script' || method === 'GET' || method === 'HEAD') return false
  // A POST at an account mostly makes one.
  if (standsForCaller(pathname) && !(method === 'POST' && /\/account\/?$/i.test(pathname))) return true
  // With a number in its path it is mostly that of another user.
  return pathname === pathTemplate(pathname) && OWN_PASSWORD.test(pathname)
}

/** How much earlier an endpoint is asked for than others of its method. */
function bonusOf({ isKnown, isLikely }: Candidate, { pathname }: URL): number {
  if (isKnown) return KNOWN_BONUS
  return isLikely ? LIKELY_BONUS : API_PATH.test(pathname) ? API_BONUS : 0
}

function isAskedFor(candidate: Candidate, url: URL): boolean {
  return candidate.use !== 'file' && !isStaticFile(url)
}
