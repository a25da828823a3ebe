import type { CrawlScope } from '../scope/crawl-scope.ts'
import type { BoundedSet } from './bounded-set.ts'
import type { Budget } from './budget.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import type { EntryDocuments } from './entry-documents.ts'
import type { Faces } from './faces.ts'
import type { FirstAnswer } from './first-answer.ts'
import type { Persona } from './forms/persona.ts'
import type { Harvest } from './harvest.ts'
import type { Knowledge } from './knowledge.ts'
import type { LightRoutes } from './light-routes.ts'
import type { Looks } from './looks.ts'
import type { Revisits } from './revisits.ts'
import type { SharedMemory } from './shared-memory.ts'
import type { SignatureMemory } from './signature-memory.ts'
import type { SoftNavigation } from './soft-navigation.ts'
import type { States } from './states.ts'
import type { UnknownRoutes } from './unknown-routes.ts'

/** What all pages of a crawl share. */
export interface CrawlContext {
  readonly options: CrawlOptions
  readonly ports: CrawlPorts
  readonly scope: CrawlScope
  readonly harvest: Harvest
  readonly knowledge: Knowledge
  readonly signatures: SignatureMemory
  readonly states: States
  /** What is exchanged with other processes of the crawl. */
  readonly shared: Pick<SharedMemory, 'hold' | 'learn'>
  readonly budget: Budget
  readonly persona: Persona
  readonly counts: CrawlCounts
  /** Locations whose pages have closed shadow roots. */
  readonly closedRoots: BoundedSet
  /** File boxes that were used. */
  readonly uploads: BoundedSet
  /** Boxes with options that act on their own, by page. */
  readonly filters: BoundedSet
  /** Times in a row that pages of an origin went on showing that they load. */
  readonly vainWaits: Map<string, number>
  /** Elements that any page has shown. */
  readonly looks: Looks
  /** Pages by their looks, wherever they are. */
  readonly faces: Faces
  readonly revisits: Revisits
  readonly routes: LightRoutes
  readonly unknownRoutes: UnknownRoutes
  /** Documents by address, and ways to pages that share one. */
  readonly documents: Pick<EntryDocuments, 'markOf' | 'alike' | 'noteAlike'>
  readonly softly: SoftNavigation
  readonly firstAnswer: FirstAnswer
  /** Whether harmful actions are done now. */
  allowsHarm: boolean
  /**
   * Whether the document at this URL is the entry of an application whose routes are in the fragment, sent for another
   * path as well: all of it would be found once more.
   */
  isAlias(url: string): boolean
  /** Nothing new may begin. */
  isEnding(): boolean
  /** Method and URL of the calls of a page from a moment on (milliseconds of `performance.now()`), at most 50. */
  callsSince(pageId: string, sinceMs: number): string[]
  /** Beginning of the answer (4xx) that refused a request of a page from a moment on; '' without one, null if none was. */
  refusalSince(pageId: string, sinceMs: number): string | null
  /** Notes an action that is not done because of the harm it may do. */
  avoid(location: string, action: string, url: string): void
  /** The last action of a page, to be blamed when the session is lost after it. */
  noteAction(signature: string): void
  /** A piece of work waits for a time that the application named: that is not a standstill. */
  noteWait(): void
}

/** Counters of a crawl. */
export interface CrawlCounts {
  loads: number
  actions: number
  probes: number
  avoided: number
  uploads: number
  /** Pages loaded last, in a row, that have scripts and showed nothing to use. */
  blank: number
  /** Method and path of the last change before the first of these, of those that were sent. */
  lastWrite: string | null
}

/** The counters of a crawl that begins. */
export function freshCounts(): CrawlCounts {
  return { loads: 0, actions: 0, probes: 0, avoided: 0, uploads: 0, blank: 0, lastWrite: null }
}
