import type { crawlFactKinds } from '../../contract/index.ts'

/** What a fact is about. */
export type LearnedKind = (typeof crawlFactKinds)[number]

/**
 * How what several processes learned of one thing becomes one. `once`: it is so; `sum`: added up; `streak`: a number that
 * grows until something sets it back.
 */
type LearnedRule = 'once' | 'sum' | 'streak'

/** What a crawl learns of an application, by what the key is of and how it is put together. */
export const learnedRules: Readonly<Record<LearnedKind, LearnedRule>> = {
  /** Kinds of requests that pages sent. */
  kind: 'once',
  /** Kinds that only a probe sent; the note says whether it was refused. */
  probed: 'once',
  /** Kinds that write and were accepted. */
  write: 'once',
  /** Resources that were written. */
  written: 'sum',
  /** Fruitless runs in a row of a signature. */
  signature: 'streak',
  /** Location, action and structure of what was done. */
  done: 'once',
  /** Location and fingerprints of a state. */
  state: 'once',
  /** Times work at a location was queued. */
  explored: 'sum',
  /** Key and location of what was queued. */
  queued: 'once',
  /** Locations whose pages call different things. */
  fruitful: 'once',
  /** Documents that route by the fragment. */
  routed: 'once',
  /** Visits to a location that ended; the note has the last one. */
  left: 'sum',
  /** Location and resource that its pages read. */
  read: 'once',
  /** Pages in a row that are alike in a folder; the note has their look. */
  sibling: 'streak',
  /** Locations with actions that were avoided; the note has a URL. */
  avoided: 'once',
  /** Locations that show an element. */
  look: 'sum',
  /** Records that the crawl created, and has to remove. */
  draft: 'once',
}

/** One thing that a crawl learned. */
export interface LearnedFact {
  readonly kind: LearnedKind
  /** At most 2,400 characters. */
  readonly key: string
  /**
   * As it stands, from 0; as news 1 and more, or, of a streak that was set back, -1 less what it has grown to since.
   */
  readonly value: number
  /** More about it, of the process that said something last; '' for nothing. At most 2,400 characters. */
  readonly note: string
}

/** Largest number of a fact; a banned signature has it. */
export const mostLearned = 1_000_000_000
/** Longest key and note. */
export const learnedLength = 2_400
/** What an exchange brings back: facts as they stand, of everybody, since the revision that was told. */
export interface LearnedNews {
  readonly revision: number
  readonly facts: readonly LearnedFact[]
}

/** A number with its own news added. */
export function withNews(rule: LearnedRule, value: number, news: number): number {
  if (rule === 'once') return Math.max(value, news)
  if (rule === 'streak' && news < 0) return -1 - news
  return Math.min(mostLearned, value + news)
}

/** Earlier and later news in one. */
export function joinedNews(rule: LearnedRule, earlier: number, later: number): number {
  if (rule === 'once' || (rule === 'streak' && later < 0)) return later
  // Set back before: it has grown since.
  if (rule === 'streak' && earlier < 0) return Math.max(-mostLearned, earlier - later)
  return Math.min(mostLearned, earlier + later)
}
