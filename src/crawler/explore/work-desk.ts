import { endsWithin } from '../../kit/index.ts'
import type { CrawlContext } from './crawl-context.ts'
import { explorePage } from './explore-page.ts'
import type { LeasedItem, WorkItem } from './frontier.ts'
import { isGuessedLoad, type LoadPayload, type ProbePayload } from './harvest.ts'
import { type ExplorePayload, type LoadedPage, loadPage } from './load-page.ts'
import type { PageView } from './page-view.ts'
import { Prober } from './probe-endpoint.ts'
import { type AnswerReader, takeRoutes } from './read-answer.ts'
import { isDoneAgain, type SessionWatch } from './session-watch.ts'
import type { SiblingPages } from './sibling-pages.ts'

/** Longest wait for answers to be read, in milliseconds. */
export const readingMs = 60_000

/** Visits to one page, and those in a row that may bring nothing. */
const MOST_ROUNDS = 40
const FRUITLESS = 3

/** Pages that are loaded before one is worked on at once. */
const FIRST_PAGES = 8
/** Buttons that no page had before, with which a page is worked on although others wait to be loaded. */
const RICH = 3
/** Pages that may wait to be loaded while one with fewer of them is worked on. */
const FEW_LOADS = 3

/** How much later a page comes for its next visit, its next pass, and what led nowhere elsewhere. */
const NEXT_VISIT = 20
const NEXT_PASS = 40
const LAST_PASS = 100

/** What changes of an item for the next visit. */
type NextVisit = Pick<WorkItem, 'priority' | 'payload'>

/** What work needs beside the context of the crawl. */
interface WorkParts {
  readonly reader: AnswerReader
  readonly siblings: SiblingPages
  readonly session: Pick<SessionWatch, 'noteDone'>
  /** Answers that are being read. */
  readonly reading: ReadonlySet<Promise<void>>
  readonly log: (message: string) => void
}

/** Does pieces of work, and says in the frontier what became of them. */
export class WorkDesk {
  readonly #context: CrawlContext
  readonly #parts: WorkParts
  readonly #prober: Prober

  constructor(context: CrawlContext, parts: WorkParts) {
    this.#context = context
    this.#parts = parts
    this.#prober = new Prober(context, parts.reader.catchAll)
  }

  /** Does a piece of work on a page. @returns what it found */
  async perform(item: LeasedItem, view: PageView, startedMs: number): Promise<number> {
    const { frontier } = this.#context.ports
    const payload: unknown = JSON.parse(item.payload)
    if (item.kind === 'load') return this.#load(item, payload as LoadPayload, view, startedMs)
    if (item.kind === 'probe') {
      const isFind = await this.#prober.probe(view.page, payload as ProbePayload, isDoneAgain(item.key))
      await view.page.quiet({ quietMs: 20, capMs: 500 })
      await this.#settle(item, view, startedMs)
      return isFind ? 1 : 0
    }
    const { rest, finds } = await explorePage(view, payload as ExplorePayload, this.#context)
    const next = this.#nextOf(item, rest, finds)
    if (next) {
      await view.page.told()
      await frontier.putBack(item.id, next)
    } else await this.#settle(item, view, startedMs)
    return finds
  }

  /** The next visit to a page; null when there is none. */
  #nextOf(item: WorkItem, rest: ExplorePayload | null, finds: number): NextVisit | null {
    if (rest === null) return null
    if (rest.round > MOST_ROUNDS || (rest.fruitless ?? 0) > FRUITLESS) {
      this.#context.harvest.leftOut.note('visits to a page without anything new', item.location)
      return null
    }
    // Every page has its turn before one has its second, and before one tries what led nowhere elsewhere.
    const before = JSON.parse(item.payload) as ExplorePayload
    const priority = item.priority - laterBy(rest, before) + Math.min(3, finds)
    return { priority, payload: JSON.stringify(rest) }
  }

  /**
   * Works on a page that was loaded just now, which saves going there again: on one that promises much, and on any other
   * when few wait to be loaded. The first pages wait until it is known what all have in common.
   *
   * @returns what it found
   */
  async #visit({ visit, isLogin, news, alike }: LoadedPage, view: PageView): Promise<number> {
    if (visit === null) return 0
    const { item, survey } = visit
    const { frontier } = this.#context.ports
    // The page for unknown routes may have been asked for meanwhile.
    const isThere = !isLogin && news > 0 && view.page.url === survey.url
    const isKnown = this.#context.looks.pages >= FIRST_PAGES
    const isAtOnce =
      isThere && isKnown && ((news >= RICH && alike === 0) || (await this.#loadsWaiting()) <= FEW_LOADS)
    if (!isAtOnce) {
      await frontier.add([item])
      return 0
    }
    const payload = JSON.parse(item.payload) as ExplorePayload
    view.restartSteps()
    const { rest, finds } = await explorePage(view, payload, this.#context, survey)
    const next = this.#nextOf(item, rest, finds)
    if (next) await frontier.add([{ ...item, ...next }])
    return finds
  }

  async #loadsWaiting(): Promise<number> {
    return (await this.#context.ports.frontier.counts()).waiting.load
  }

  async #load(item: LeasedItem, payload: LoadPayload, view: PageView, startedMs: number): Promise<number> {
    if (!this.#context.harvest.beginLoad(item.key)) {
      await this.#settle(item, view, startedMs)
      return 0
    }
    const url = new URL(payload.url)
    const isLeftOut = this.#parts.siblings.isEnough(url, payload.isPart)
    if (isLeftOut) this.#context.harvest.leftOut.note('enough pages that look the same', payload.url)
    const loaded = isLeftOut ? null : await loadPage(view, payload, this.#context)
    await takeRoutes(this.#parts.reader, view.page)
    const finds = this.#context.knowledge.takeFinds(view.page.id)
    // The first page of a location is new anyway; a later one that calls something new tells that more are worth it.
    if (finds > 0 && loaded?.isFirst === false) this.#context.harvest.markFruitful(item.location)
    if (!loaded) {
      await this.#settle(item, view, startedMs)
      return finds
    }
    // What was guessed may be no page of the application.
    if (!isGuessedLoad(item.key)) noteBare(loaded, this.#context)
    const { elements, news } = loaded
    const facts = { rough: loaded.fingerprint.rough, elements, isFruitful: finds > 1, offersNews: news > 0 }
    // What is still loading shows the frame only, and what was guessed may be shown it for that reason.
    const tells = !loaded.isLoading && !isGuessedLoad(item.key)
    const template = tells ? this.#parts.siblings.note(url, facts) : null
    if (template !== null) {
      const message = `Pages below ${template} are alike; the rest is left out. Add it to urlTemplatePatterns if it is one page.`
      this.#parts.log(message)
    }
    const more = await this.#visit(loaded, view)
    await this.#settle(item, view, startedMs)
    return finds + more
  }

  async #settle(item: LeasedItem, view: PageView, startedMs: number): Promise<void> {
    // Its answers, and what they speak of, have to be there first: a process that dies now would not find them again.
    await view.page.told()
    await endsWithin(readingMs, Promise.all(this.#parts.reading))
    await this.#context.ports.frontier.done(item.id)
    await this.#parts.session.noteDone(item, startedMs)
  }
}

/** Counts pages that show nothing to use, and keeps what was changed last before the first of them. */
export function noteBare(
  { isBare }: Pick<LoadedPage, 'isBare'>,
  { counts, revisits, ports }: Pick<CrawlContext, 'counts' | 'revisits' | 'ports'>,
): void {
  if (isBare && counts.blank === 0) counts.lastWrite = ports.changes ? null : revisits.lastWrite
  counts.blank = isBare ? counts.blank + 1 : 0
}

/** How much later a page comes again: what each pass leaves waits until all pages had that pass. */
function laterBy({ pass = 0 }: ExplorePayload, before: ExplorePayload): number {
  const passBefore = before.pass ?? (before.round === 0 ? 0 : 1)
  if (pass === 2 && passBefore !== 2) return LAST_PASS
  return pass > passBefore ? NEXT_PASS : NEXT_VISIT
}

/** What a crawl waits for, for people. */
export function describeWork(inHand: ReadonlyMap<LeasedItem, number>, reading: number): string {
  const now = performance.now()
  const works = [...inHand].map(
    ([{ key }, sinceMs]) => `${key.slice(0, 120)} (${Math.round((now - sinceMs) / 1000)} s)`,
  )
  const work = works.length === 0 ? 'No work is in hand.' : `In hand: ${works.join(', ')}.`
  return reading === 0 ? work : `${work} ${reading} answers are being read.`
}
