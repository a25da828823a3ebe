import type { ChangeFilter } from '../safety/change-filter.ts'
import type { CrawlCounts } from './crawl-context.ts'
import type { CrawlEnd, CrawlSummary } from './crawl-options.ts'
import type { FrontierCounts } from './frontier.ts'

/** Reasons, examples of each, and operations that a summary names. */
const MOST_REASONS = 40
const EXAMPLES = 5
const MOST_NAMED = 5_000
const MOST_TOLD = 200
/** Pages in a row without anything to use, after which the application may have stopped working. */
const BLANK_PAGES = 10

/** Counts what a crawl leaves out, by reason. */
export class LeftOutNotes {
  readonly #counts = new Map<string, { count: number; readonly examples: string[] }>()
  /** Operations that scripts and documents name. */
  readonly #named = new Set<string>()

  /** Notes one thing that was left out. Reasons that differ in a place only count as one. */
  note(reason: string, example: string): void {
    const kind = reason.replace(/^(enough (?:pages|endpoints) like) .*$/, '$1 others of their location')
    const known = this.#counts.get(kind) ?? { count: 0, examples: [] }
    if (!this.#counts.has(kind) && this.#counts.size >= MOST_REASONS) return
    this.#counts.set(kind, known)
    known.count++
    if (known.examples.length < EXAMPLES) known.examples.push(example.slice(0, 300))
  }

  /** Notes an operation that a script or a document names, as a kind of request. */
  noteNamed(kind: string): void {
    if (this.#named.size < MOST_NAMED) this.#named.add(kind)
  }

  get named(): ReadonlySet<string> {
    return this.#named
  }

  get list(): CrawlSummary['leftOut'] {
    return [...this.#counts]
      .map(([reason, { count, examples }]) => ({ reason, count, examples }))
      .sort((left, right) => right.count - left.count)
  }
}

/** What a summary is made of. */
interface SummaryFacts {
  readonly end: CrawlEnd
  readonly notes: LeftOutNotes
  readonly counts: FrontierCounts
  readonly changes: ChangeFilter | null
  readonly isSignedIn: boolean
  /** Kinds of requests seen, and those that were only ever refused with 401 or 403. */
  readonly seen: number
  readonly refused: number
  /** Counters, and the last write that was accepted. */
  readonly work: Pick<CrawlCounts, 'actions' | 'blank' | 'lastWrite'>
  hasKind(kind: string): boolean
}

/** Says what a crawl covered and what it did not. */
export function summarise(facts: SummaryFacts): CrawlSummary {
  const { notes, counts, changes, seen } = facts
  const unreached = [...notes.named].filter((kind) => !facts.hasKind(kind)).sort()
  const held = changes?.held ?? []
  const byReason = new Map<string, string[]>()
  for (const { kind, reason } of held) byReason.set(reason, [...(byReason.get(reason) ?? []), kind])
  const heldReasons = [...byReason].map(([reason, kinds]) => ({
    reason: `held back: ${reason}`,
    count: kinds.length,
    examples: kinds.slice(0, EXAMPLES),
  }))
  return {
    seen,
    held: held.length,
    named: notes.named.size,
    unreached: unreached.slice(0, MOST_TOLD),
    leftOut: [...heldReasons, ...notes.list].slice(0, MOST_REASONS),
    waiting: { ...counts.waiting },
    advice: adviceOf(facts, held.length, unreached.length),
  }
}

function adviceOf(facts: SummaryFacts, held: number, unreached: number): string[] {
  const { end, isSignedIn, refused, counts, work } = facts
  const { load, explore, probe } = counts.waiting
  const waiting = load + explore + probe
  const advice: string[] = []
  if (!isSignedIn && refused > 0)
    advice.push(
      `${refused} kinds of requests were answered with 401 or 403 only, and nobody was signed in. Crawl again with a user name and password, a test role or a recorded login.`,
    )
  else if (refused > 0)
    advice.push(
      `${refused} kinds of requests were refused with 401 or 403. Crawl again as a user who may use them.`,
    )
  if (work.actions === 0 && end === 'finished')
    advice.push(
      `No page showed anything to use${held > 0 ? ', perhaps because a request that it needs was held back' : ''}. Look at the screenshots: the crawl may be signed out, or the application may need something else.`,
    )
  else if (work.blank >= BLANK_PAGES)
    advice.push(
      `The last ${work.blank} pages showed nothing to use: the application may have stopped working, or the crawl may be signed out.${work.lastWrite === null ? '' : ` The last change before was ${work.lastWrite}.`} Look at the screenshots, and leave out what broke it.`,
    )
  if (waiting > 0 && (end === 'budget' || end === 'saturated'))
    advice.push(
      `${load} pages, ${explore} pages to be worked on and ${probe} endpoints were waiting when it ended. Allow more time.`,
    )
  if (held > 0)
    advice.push(
      `${held} kinds of requests were recorded and not sent, because they may change something. To see their answers and what lies behind them, crawl a copy of the application that may be thrown away, with harmful actions allowed.`,
    )
  if (unreached > 0)
    advice.push(
      `${unreached} operations that scripts or documents of the application name were not reached. Give pages that use them as application pages, or a recording of somebody using them.`,
    )
  return advice
}

/** The summary as lines of the log. */
export function summaryLines({ seen, held, named, unreached, leftOut, advice }: CrawlSummary): string[] {
  const reached = named - unreached.length
  return [
    `Covered ${seen} kinds of requests (${held} held back), ${reached} of ${named} operations that scripts and documents name`,
    ...leftOut
      .slice(0, 10)
      .map(({ reason, count, examples }) => `Left out ${count}: ${reason}; ${examples[0] ?? ''}`),
    ...advice,
  ]
}
