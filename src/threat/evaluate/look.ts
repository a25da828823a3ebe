import type { SearchBudget } from '../../rules/index.ts'
import { NOT_FOUND } from '../../rules/index.ts'
import { KnownHeaders, type KnownParts } from '../views/known-headers.ts'
import type { LeafList } from '../views/leaf.ts'
import { isBlank } from './blank-unit.ts'
import { ANSWER, Candidates } from './candidates.ts'
import { Concerns } from './concerns.ts'
import type { FilterSet } from './filter-set.ts'
import { MAX_PHRASE, type ThreatMessage } from './hit.ts'
import { LeafIndexes } from './leaf-indexes.ts'
import type { PatternProbe, Probe, WordsProbe } from './probe.ts'

/** Where a probe was met: in code units from the start of the leaf. */
interface Match {
  readonly leaf: number
  readonly start: number
  readonly end: number
}

/** A run of code units of a leaf, without outer blanks. */
interface Run {
  readonly from: number
  readonly to: number
}

const QUESTION_MARK = 63
/** Patterns that look around are run on pieces of this length, which overlap. */
const PIECE = 8_192
const OVERLAP = 1_024
/** Words that are looked at one by one; more are left to the pass over all words. */
const FEW_WORDS = 8

/**
 * What a set of filters has found out of one message so far. Nothing is looked at before somebody asks, and nothing
 * twice. One object serves all messages of a set, one after the other.
 */
export class Look {
  readonly candidates: Candidates
  /** Filters that were found to be concerned, by position. */
  readonly concerns: Concerns
  message!: ThreatMessage
  list!: LeafList
  budget!: SearchBudget
  readonly #set: FilterSet
  /** By probe and leaf, for probes without words: those with words keep what is known with their candidates. */
  readonly #wordless = new Map<number, boolean>()
  /** What need not be read of messages. */
  readonly known: KnownParts
  readonly #indexes = new LeafIndexes()
  readonly #groups = new LeafGroups()
  #isGrouped = false
  #asked = 0

  constructor(set: FilterSet) {
    this.#set = set
    this.candidates = new Candidates(set)
    this.concerns = new Concerns(set.planned.length)
    this.known = {
      headers: set.isBlindToOtherHeaders ? new KnownHeaders() : null,
      quietResponse: set.quietResponse,
    }
  }

  /** Turns to the next message. */
  begin(message: ThreatMessage, list: LeafList, budget: SearchBudget): void {
    this.message = message
    this.list = list
    this.budget = budget
    this.#wordless.clear()
    this.#isGrouped = false
    this.#indexes.begin(list.count)
    this.candidates.scan(list, budget)
    if (list.truncated !== 0 || budget.isSpent) return
    this.known.headers?.learn(list, this.candidates.found)
  }

  /** The first leaf of some places that a probe is in, -1 when it is in none. */
  leafWith(id: number, places: number): number {
    const probe = this.#set.probes[id]!
    return probe.clauses.length === 0 ? this.#searchAll(probe, places) : this.#searchCandidates(probe, places)
  }

  /** False when no leaf holds the words of a probe. */
  mayBeMet(id: number): boolean {
    return this.#set.probes[id]!.clauses.length === 0 || this.candidates.firstLink(id) >= 0
  }

  /** Whether a probe is in a leaf. */
  isIn(id: number, leaf: number): boolean {
    const probe = this.#set.probes[id]!
    if ((this.candidates.bits[leaf]! & probe.places) === 0) return false
    if (probe.clauses.length === 0) return this.#isWordlessIn(probe, leaf)
    const { candidates } = this
    for (let link = candidates.firstLink(id); link >= 0; link = candidates.nextLink(link))
      if (candidates.leafOf(link) === leaf) return this.#answer(probe, link)
    return false
  }

  /** Where a probe is in a leaf that it is in. */
  matchIn(id: number, leaf: number): Match {
    const probe = this.#set.probes[id]!
    const start = this.list.starts[leaf]!
    const run = this.#runOf(probe, leaf)
    if (probe.kind === 'pattern' && probe.search !== null) {
      const end = probe.search.end(this.list.units, run.from, run.to, this.budget)
      if (end === NOT_FOUND) return { leaf, start: 0, end: 0 }
      const begun = probe.search.start(this.list.units, run.from, end, run.to, this.budget)
      // Of a match that began too far back to be followed its last part is reported.
      const from = begun < end ? begun : Math.max(run.from, end - MAX_PHRASE)
      return { leaf, start: from - start, end: end - start }
    }
    const offset = run.from - start
    const [from, to] =
      probe.kind === 'pattern' ? this.#lookAround(probe, run) : wordIn(probe, this.#text(run))
    return { leaf, start: offset + from, end: offset + to }
  }

  /** Leaves that were read from one another. */
  get groups(): LeafGroups {
    if (!this.#isGrouped) this.#groups.begin(this.list)
    this.#isGrouped = true
    return this.#groups
  }

  #searchCandidates(probe: Probe, places: number): number {
    const { candidates, list } = this
    let last = -1
    for (let link = candidates.firstLink(probe.id); link >= 0; link = candidates.nextLink(link)) {
      const leaf = candidates.leafOf(link)
      if ((candidates.bits[leaf]! & places) === 0) continue
      // A plain body is one text, as it is sent and as it is read.
      const isSame =
        last >= 0 && list.starts[leaf] === list.starts[last] && list.ends[leaf] === list.ends[last]
      if (!isSame && this.#answer(probe, link)) return leaf
      if (this.budget.isSpent) return -1
      last = leaf
    }
    return -1
  }

  #answer(probe: Probe, link: number): boolean {
    const { answers } = this.candidates
    if (answers[link] === ANSWER.UNKNOWN)
      answers[link] = this.#isIn(probe, this.candidates.leafOf(link)) ? ANSWER.YES : ANSWER.NO
    return answers[link] === ANSWER.YES
  }

  #searchAll(probe: Probe, places: number): number {
    for (let leaf = 0; leaf < this.list.count; leaf++) {
      if ((this.candidates.bits[leaf]! & places) === 0) continue
      if (this.#isWordlessIn(probe, leaf)) return leaf
      if (this.budget.isSpent) return -1
    }
    return -1
  }

  #isWordlessIn(probe: Probe, leaf: number): boolean {
    const key = probe.id * 0x10000 + leaf
    const known = this.#wordless.get(key)
    if (known !== undefined) return known
    const holds = this.#isIn(probe, leaf)
    this.#wordless.set(key, holds)
    return holds
  }

  #isIn(probe: Probe, leaf: number): boolean {
    if (this.#isOver()) return false
    const run = this.#runOf(probe, leaf)
    if (probe.kind === 'words') return this.#holdsWord(probe, run)
    if (probe.search === null) return this.#lookAround(probe, run)[1] >= 0
    const { units } = this.list
    const { from, to } = run
    const searches = probe.isOfQuery ? 0 : this.candidates.counts[leaf]!
    const indexed = this.#indexes.runOf(leaf, searches, units, from, to)
    return probe.search.end(units, from, to, this.budget, this.#indexes.index, indexed) !== NOT_FOUND
  }

  #holdsWord(probe: WordsProbe, run: Run): boolean {
    if (probe.words.length > FEW_WORDS && probe.isDecidedByClause && isAscii(this.list.units, run))
      return true
    return wordIn(probe, this.#text(run))[1] >= 0
  }

  /** Start and end in the run; both -1 for none. */
  #lookAround({ pattern }: PatternProbe, run: Run): readonly [number, number] {
    for (let from = run.from; from < run.to || from === run.from; from += PIECE - OVERLAP) {
      const piece = { from, to: Math.min(run.to, from + PIECE) }
      const found = pattern.find(this.#text(piece))
      if (found !== null) return [found[0] + from - run.from, found[1] + from - run.from]
      if (piece.to === run.to || this.#isOver()) break
    }
    return [-1, -1]
  }

  /** The part of a leaf that a probe reads. */
  #runOf(probe: Probe, leaf: number): Run {
    const { units } = this.list
    let from = this.list.starts[leaf]!
    let to = this.list.ends[leaf]!
    if (probe.isOfQuery) {
      while (from < to && units[from] !== QUESTION_MARK) from++
      from++
    }
    while (from < to && isBlank(units[from]!)) from++
    while (to > from && isBlank(units[to - 1]!)) to--
    return { from, to }
  }

  #text({ from, to }: Run): string {
    return textOf(this.list.units, from, to)
  }

  #isOver(): boolean {
    const { budget } = this
    if (++this.#asked % 16 === 0) budget.check()
    return budget.isSpent
  }
}

/** Leaves with those that were decoded from them, directly or not. One object serves all messages. */
class LeafGroups {
  #roots = new Int32Array(512)
  #last = new Int32Array(512)
  #next = new Int32Array(512)

  /** Turns to the leaves of another message. */
  begin({ count, parents }: LeafList): void {
    if (count > this.#roots.length) {
      this.#roots = new Int32Array(count * 2)
      this.#last = new Int32Array(count * 2)
      this.#next = new Int32Array(count * 2)
    }
    for (let leaf = 0; leaf < count; leaf++) {
      const parent = parents[leaf]!
      const root = parent < 0 ? leaf : this.#roots[parent]!
      this.#roots[leaf] = root
      this.#next[leaf] = -1
      if (root !== leaf) this.#next[this.#last[root]!] = leaf
      this.#last[root] = leaf
    }
  }

  /** Whether some reading of a leaf of the message itself satisfies. */
  some(root: number, test: (leaf: number) => boolean): boolean {
    for (let leaf = root; leaf >= 0; leaf = this.#next[leaf]!) if (test(leaf)) return true
    return false
  }
}

/** Text of a run of code units. */
export function textOf(units: Uint16Array, from: number, to: number): string {
  return Buffer.from(units.buffer, units.byteOffset + from * 2, (to - from) * 2).toString('utf16le')
}

/** Where a word of a probe is in a text without outer blanks; both -1 for none. */
function wordIn({ words, isWhole }: WordsProbe, text: string): readonly [number, number] {
  const lower = text.toLowerCase()
  for (const word of words) {
    if (isWhole) {
      if (lower === word) return [0, text.length]
      continue
    }
    const at = lower.indexOf(word)
    if (at >= 0) return [at, at + word.length]
  }
  return [-1, -1]
}

function isAscii(units: Uint16Array, { from, to }: Run): boolean {
  for (let i = from; i < to; i++) if (units[i]! > 127) return false
  return true
}
