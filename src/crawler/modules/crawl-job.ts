import type { HarmfulActions } from '../records/crawl-run.ts'

/** A recorded login to be replayed. */
export interface JobFlow {
  /** JSON text as the recorder exports it. */
  readonly content: string
  /** Expression that yields the token; '' without. */
  readonly tokenFetchCommand: string
  /** Header that carries the token; '' for none. */
  readonly header: string
  /** What stands before the token in it. */
  readonly prefix: string
}

/** What a process needs to know to work on a crawl. Holds secrets: never logged. */
export interface CrawlJob {
  readonly crawlId: string
  /** Full URL to start from. */
  readonly hostname: string
  readonly crawlingSeconds: number
  /** What earlier processes used of that. */
  readonly spentSeconds: number
  readonly outScopeUrls: string | null
  readonly urlTemplatePatterns: string | null
  readonly applicationPages: string | null
  readonly harmfulActions: HarmfulActions
  /** For the sign-in form; null when another way to sign in was chosen. */
  readonly form: { readonly username: string; readonly password: string } | null
  /** For the header x-api-key of requests in scope. */
  readonly apiKey: string | null
  readonly customHeaders: Readonly<Record<string, string>>
  /** Name of the test role for records; null without. */
  readonly roleName: string | null
  /** Headers that the test role puts on requests in scope. */
  readonly roleHeaders: Readonly<Record<string, string>>
  readonly recordedFlow: JobFlow | null
  /** Processes on the crawl when this one joined it; null for its lease owner, who alone ends it. */
  readonly helperOf: number | null
}
