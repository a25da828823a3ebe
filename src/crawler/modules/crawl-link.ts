import type { CrawlMemory, HelperPort } from '../explore/crawl-ports.ts'
import type { Frontier } from '../explore/frontier.ts'
import type { TakeCodeStep } from '../login/one-time-code.ts'
import type { CrawlFrame } from '../records/crawl-leftovers.ts'
import type { CrawlLogRecord } from '../records/crawl-log.ts'
import type { CrawlStepRecord } from '../records/crawl-steps.ts'
import type { CrawlUrlRecord } from '../records/crawl-urls.ts'

/** What a crawl found since the last batch. */
export interface CrawlBatch {
  readonly urls: readonly CrawlUrlRecord[]
  /** Sample messages as JSON text. */
  readonly messages: readonly string[]
  readonly steps: readonly CrawlStepRecord[]
  readonly logs: readonly CrawlLogRecord[]
}

/** What a heartbeat brings back. */
export interface LinkSignal {
  readonly isStopRequested: boolean
  /** Somebody looks at the crawl: pictures are welcome. */
  readonly isWatched: boolean
  /** Processes on the crawl, this one among them: they share what the target may be asked. */
  readonly workers: number
}

/**
 * What the process that crawls has of the server: within one machine by messages between processes, for modules
 * elsewhere by HTTP. Every promise resolves when what was sent is committed.
 *
 * @throws Failure or CallError when the server refuses; other errors when it cannot be reached
 */
export interface CrawlLink extends CrawlMemory, HelperPort {
  readonly frontier: Frontier
  deliver(batch: CrawlBatch): Promise<void>
  /** A heartbeat with the active time of the crawl so far; null: the crawl is no longer this worker's. */
  beat(activeMs: number): Promise<LinkSignal | null>
  frame(frame: CrawlFrame): Promise<void>
  /** Asks for a time step of one-time codes that nobody had. */
  readonly takeCodeStep: TakeCodeStep
  /** The crawl cannot be worked on by two: helpers leave, and no other joins. */
  alone(): Promise<void>
  /** How signing in ended; null when it went well. A helper that is not let in leaves, and no other joins. */
  loggedIn(error: string | null): Promise<void>
}
