import type { CrawlSummary } from '../../contract/index.ts'

export type { CrawlSummary }

/**
 * What happens to actions that change something. `safe`: their requests are recorded and not sent; `last`: ordinary
 * changes are sent, those that destroy when nothing else is left; `full`: all are done like any other (test systems).
 */
export type CrawlMode = 'safe' | 'last' | 'full'

/** Limits of one crawl. Times are active time in seconds. */
export interface CrawlBudget {
  /** hard end; nothing new begins in the last 30 seconds or 2 % of it, at most 5 %. */
  readonly seconds: number
  /** What earlier processes have used of it already; 0 for a fresh crawl. */
  readonly spentSeconds: number
  /** Ends the crawl when so long no new kind of request was seen; `max(600, 20 %)` of the budget unless given. */
  readonly saturationSeconds?: number
  /** Page loads at most; without limit unless given. */
  readonly loads?: number
}

/** What a crawl is asked to do. */
export interface CrawlOptions {
  /** Absolute http or https URL; its host and port are the scope. */
  readonly start: string
  /** Application pages, relative to {@link start} or absolute, visited before it. */
  readonly seeds: readonly string[]
  /** Entries of `outscopeUrls`, as `splitList` of `crawler/scope` gives them. */
  readonly outscope: readonly string[]
  /** Entries of `urlTemplatePatterns`. */
  readonly templates: readonly string[]
  /** Other `host` or `host:port` that belong to the application. */
  readonly hosts: readonly string[]
  readonly budget: CrawlBudget
  readonly mode: CrawlMode
  /** Pages worked on at once; 1 to 16. */
  readonly tabs: number
  /** Who crawls, for records: `anonymous`, or a name of the login. */
  readonly identity: string
  /** Milliseconds without any progress after which the crawl counts as stuck; 60,000 unless given. */
  readonly patienceMs?: number
  /** Values for form fields by name, label or `autocomplete` token (lower case); they win over invented ones. */
  readonly values?: Readonly<Record<string, string>>
  /** Find endpoints in scripts and texts and ask for them; true unless given. Headers, sitemaps and the like always count. */
  readonly staticAnalysis?: boolean
}

/** Why a crawl ended. */
export type CrawlEnd =
  /** Nothing was left to do. */
  | 'finished'
  /** Nothing new for long. */
  | 'saturated'
  /** The budget is used up. */
  | 'budget'
  /** The stop signal. */
  | 'stopped'
  /** Nothing useful happened: see {@link CrawlOutcome.problem}. */
  | 'failed'

/** What became of a crawl. */
export interface CrawlOutcome {
  readonly end: CrawlEnd
  /** For people, when it failed; null otherwise. */
  readonly problem: string | null
  /** Active seconds of this process. */
  readonly seconds: number
  readonly loads: number
  readonly actions: number
  readonly probes: number
  /** Distinct states of pages, and kinds of requests (method and path template). */
  readonly states: number
  readonly requestKinds: number
  /** Actions not done because they may do harm or end the session. */
  readonly avoided: number
  readonly summary: CrawlSummary | null
  /** Things that went wrong without ending the crawl, the first 100. */
  readonly warnings: readonly string[]
}
