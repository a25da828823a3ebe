import type { CapturedExchange, CaptureSink } from '../browser/capture.ts'
import type { BrowserDriver, DriverContext } from '../browser/driver.ts'
import type { ChangeFilter } from '../safety/change-filter.ts'
import type { Frontier } from './frontier.ts'
import type { LearnedFact, LearnedNews } from './learned.ts'

/** Where a URL was found. */
export interface Provenance {
  /** URL of the page; '' for the start and seeds. */
  readonly sourceUrl: string
  /** XPath of the element; '' when it came from elsewhere (script, header, robots.txt). */
  readonly sourceXpath: string
  /** Visible text of the element, at most 500 characters. */
  readonly text: string
}

/** A URL that the crawl came across, each once for every page it stands on. */
export interface FoundUrl extends Provenance {
  /** Absolute; with fragment when that is a route. */
  readonly url: string
  /** In scope and to be followed. */
  readonly accepted: boolean
  /** Why not; '' when accepted. */
  readonly reason: string
  /** How it was found: `start`, `link`, `action`, `script`, `robots`, `sitemap`, `header`, `document`, `openapi`, `comment`, `css`, `call`. */
  readonly origin: string
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** One way from a state of a page to another, by a load or an action. */
export interface NavigationEdge {
  /** State ids: location key, `#` and a fingerprint. `from` is '' at the start. */
  readonly from: string
  readonly to: string
  /** URLs of both. */
  readonly fromUrl: string
  readonly toUrl: string
  /** `load`, `click`, `submit`, `enter`, `hover`, … */
  readonly action: string
  readonly xpath: string
  readonly text: string
  /** Calls it made: method and URL, at most 50. */
  readonly calls: readonly string[]
}

/** A line for the operator. */
interface CrawlLogEntry {
  readonly level: 'info' | 'warning'
  readonly message: string
  readonly atMs: number
}

/**
 * Where results go. Calls are quick (a spool); a promise that is returned is awaited, so a full spool slows the crawl
 * down instead of filling memory.
 */
export interface CrawlSink {
  url(found: FoundUrl): void | Promise<void>
  exchange(captured: CapturedExchange): void
  edge(edge: NavigationEdge): void | Promise<void>
  log(entry: CrawlLogEntry): void
}

/** Browser and identity of the crawl: anyone who composes it decides on guard, headers and login. */
export interface CrawlBrowser {
  /**
   * A context that is signed in as the crawl's identity, with the guard for requests; captured exchanges go to `capture`.
   * Called again after the browser crashed or was recycled; starts a new one then.
   *
   * @throws Failure when no browser can be had
   */
  openContext(capture: CaptureSink): Promise<OpenContext>
}

/** A context with the browser it lives in. */
export interface OpenContext {
  readonly driver: BrowserDriver
  readonly context: DriverContext
}

/** Watches whether the identity is still signed in. */
export interface SessionKeeper {
  /**
   * Called when something looks like a lost session (401 or 403 where it went well before, a password box where none
   * was) and every 60 seconds. `renewed`: the login was repeated, work since the last good check is to be done again.
   * `lost`: it cannot be repeated; the crawl continues without. `unknown`: the browser died meanwhile, so ask again.
   */
  check(context: DriverContext, suspicion: string): Promise<'alive' | 'renewed' | 'lost' | 'unknown'>
  /** URL prefix of the login page, to notice being sent there; null when unknown. */
  readonly loginUrl: string | null
}

/** What the engine learned and does not keep in the frontier, of all processes of the crawl. */
export interface CrawlMemory {
  /**
   * Adds what was learned, and gives what has changed since a revision; 0 for everything.
   *
   * @param news at most 2,000 facts
   */
  exchange(since: number, news: readonly LearnedFact[]): Promise<LearnedNews>
}

/** What a process does that joined a crawl of somebody else, who alone ends it. */
export interface HelperPort {
  /** Tells whether there is anything left that it could do. */
  idle(isIdle: boolean): Promise<void>
}

/** Everything the engine needs of the world. */
export interface CrawlPorts {
  readonly browser: CrawlBrowser
  readonly frontier: Frontier
  readonly sink: CrawlSink
  /** Null for an anonymous crawl. */
  readonly session: SessionKeeper | null
  /** Keeps the crawl from changing anything, together with the guard of its browser; null where it may. */
  readonly changes?: ChangeFilter | null
  /** Null keeps what was learned only as long as the process lives. */
  readonly memory: CrawlMemory | null
  /** Why requests wait that could go otherwise, for people, such as a pause the application asked for; null: none does. */
  readonly delay?: () => string | null
  /** Milliseconds that a request to a URL would be held back now, whether or not others wait; absent: none. */
  readonly waitMs?: (url: URL) => number
  /** Called when the crawl came upon what only one process can do: an account that the crawl made is in one browser. */
  readonly alone?: () => void
  /** Null, or absent, for the one that ends the crawl. */
  readonly helper?: HelperPort | null
  /** Aborts: no new action begins; the work in hand ends, at most 30 seconds. */
  readonly stop: AbortSignal
  /** Milliseconds that only grow; `performance.now` unless given. */
  readonly clockMs?: () => number
}
