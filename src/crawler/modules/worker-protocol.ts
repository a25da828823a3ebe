import type { FailureDetails } from '../../kit/index.ts'
import type { BrowserLocale } from '../browser/running-browser.ts'
import type { CrawlEnd, CrawlSummary } from '../explore/crawl-options.ts'
import type { CrawlJob } from './crawl-job.ts'

/** Where and how a process crawls. */
export interface CrawlPlace {
  /** Browser to use; null for the best there is. */
  readonly browser: string | null
  /** Folder for an unpacked browser. */
  readonly browserFolder: string
  /** Folder of the crawl's own for what waits for delivery. */
  readonly spoolFolder: string
  /** Hosts and ranges that the operator allows beside public ones. */
  readonly allowed: readonly string[]
  /** Listeners of this installation, never to be crawled. */
  readonly own: readonly string[]
  /** Requests a minute to one host; 0 for no limit. */
  readonly requestsPerMinute: number
  /** Requests in any one second to one host, beside files of which pages are made; 0 or absent for no limit. */
  readonly requestsPerSecond?: number
  /** What pages see of the person in front of the browser. */
  readonly locale?: BrowserLocale
  /** Whether certificates of targets must be valid. */
  readonly verifiesTls: boolean
  /** Pages worked on at once. */
  readonly tabs: number
  /** Descriptor that reports the end of the process that ordered the work; none unless given. */
  readonly lifeline?: number
}

/** Descriptor of a worker process whose other end its parent holds. */
export const WORKER_LIFELINE = 4

/** How work on a crawl ended. */
export interface CrawlEnding {
  readonly end: CrawlEnd
  /** For people, when it failed; null otherwise. */
  readonly problem: string | null
  /** A remark on an end that is not a failure; null without. */
  readonly note: string | null
  /** What it covered and left out; absent when it did not come to that. */
  readonly summary?: CrawlSummary | null
}

/** Methods of the link that go over to the parent process. */
export type LinkMethod =
  | 'add'
  | 'take'
  | 'renew'
  | 'done'
  | 'putBack'
  | 'fail'
  | 'counts'
  | 'deliver'
  | 'exchange'
  | 'idle'
  | 'beat'
  | 'frame'
  | 'takeCodeStep'
  | 'alone'
  | 'loggedIn'

/** From the worker. */
export type WorkerMessage =
  | {
      readonly kind: 'call'
      readonly id: number
      readonly method: LinkMethod
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'ended'; readonly ending: CrawlEnding }

/** To the worker. */
export type ParentMessage =
  | { readonly kind: 'begin'; readonly job: CrawlJob; readonly place: CrawlPlace }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'refusal'
      readonly id: number
      /** Null: a fault, which may be over at the next try. */
      readonly code: string | null
      readonly details: FailureDetails
      readonly message: string
    }
