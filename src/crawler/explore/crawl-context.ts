import type { CrawlScope } from '../scope/crawl-scope.ts'
import type { BoundedSet } from './bounded-set.ts'
import type { Budget } from './budget.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import type { Persona } from './forms/persona.ts'
import type { Harvest } from './harvest.ts'
import type { Knowledge } from './knowledge.ts'
import type { SignatureMemory } from './signature-memory.ts'
import type { States } from './states.ts'

/** What all pages of a crawl share. */
export interface CrawlContext {
  readonly options: CrawlOptions
  readonly ports: CrawlPorts
  readonly scope: CrawlScope
  readonly harvest: Harvest
  readonly knowledge: Knowledge
  readonly signatures: SignatureMemory
  readonly states: States
  readonly budget: Budget
  readonly persona: Persona
  readonly counts: CrawlCounts
  /** Locations whose pages have closed shadow roots. */
  readonly closedRoots: BoundedSet
  /** Whether harmful actions are done now. */
  allowsHarm: boolean
  /** Nothing new may begin. */
  isEnding(): boolean
  /** Method and URL of the calls of a page from a moment on (milliseconds of `performance.now()`), at most 50. */
  callsSince(pageId: string, sinceMs: number): string[]
  /** Notes an action that is not done because of the harm it may do. */
  avoid(location: string, action: string, url: string): void
  /** The last action of a page, to be blamed when the session is lost after it. */
  noteAction(signature: string): void
}

/** Counters of a crawl. */
export interface CrawlCounts {
  loads: number
  actions: number
  probes: number
  avoided: number
  uploads: number
}
