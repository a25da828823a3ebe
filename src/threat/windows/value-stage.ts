import type { StoreClient } from '../../store/index.ts'
import type { WindowLimit } from './window-state.ts'

/** Rules that count this many different values within this many minutes are met by ordinary traffic as well. */
const LEAST_LIMIT = 20
const MOST_MINUTES = 15
/** How long the log says what was staged, in seconds: two windows. */
const LOG_SECONDS = 2 * MOST_MINUTES * 60
/** Values held at the most; beyond, the counters that were staged first are forgotten. */
const MAX_VALUES = 1_000_000
/** Rows of the log that are read at a start, the newest. */
const MAX_LOG_ROWS = 20_000
/** Words of one entry of the log: key, step, mark. */
const ENTRY = 6
const KEY_WORDS = 4

interface Staged {
  /** mark → latest step */
  readonly values: Map<number, number>
  newest: number
  /** The step at which the store was asked for a row. */
  askedAt: number
  /** Its values are in a counter of the store. */
  isPromoted: boolean
}

/**
 * Values of counters that are less than half full, in memory: nearly every caller of an API reads a few objects, and
 * a row for each would cost more than all else. What is staged is written to a compact log in the transaction of the
 * messages, and read again at a start. A counter that is half full is *promoted*: its values go into its row, where all
 * processes count together. Values are a set, so taking one twice changes nothing.
 */
export class ValueStage {
  readonly #counters = new Map<string, Staged>()
  readonly #maxValues: number
  #values = 0
  #isLoaded = false

  constructor(maxValues = MAX_VALUES) {
    this.#maxValues = maxValues
  }

  /** Whether counters of a rule begin here. */
  fits({ countsValues, limit, span }: WindowLimit): boolean {
    return countsValues && limit >= LEAST_LIMIT && span.steps * span.stepMinutes <= MOST_MINUTES
  }

  /** Whether the values of a counter are in the store already. */
  isPromoted(key: string): boolean {
    return this.#counters.get(key)?.isPromoted === true
  }

  /** Whether the store has to be asked for a row of a counter: it was not, in this step. */
  isUnsure(key: string, step: number): boolean {
    const staged = this.#counters.get(key)
    return staged === undefined || (!staged.isPromoted && staged.askedAt < step)
  }

  /** Notes what the store said. */
  settle(key: string, step: number, isStored: boolean): void {
    const staged = this.#staged(key, step)
    staged.askedAt = Math.max(staged.askedAt, step)
    if (isStored) staged.isPromoted = true
  }

  /** Notes a value in a step. */
  add(key: string, step: number, mark: number, steps: number): void {
    const staged = this.#staged(key, step)
    if (step > staged.newest) this.#moveOn(staged, step, steps)
    const known = staged.values.get(mark)
    if (known !== undefined && known >= step) return
    staged.values.set(mark, step)
    if (known === undefined) this.#values++
    if (this.#values > this.#maxValues) this.#forgetOldest(key)
  }

  /** Different values within the window that ends at the newest step. */
  count(key: string, steps: number): number {
    const staged = this.#counters.get(key)
    if (staged === undefined) return 0
    let count = 0
    for (const step of staged.values.values()) if (step > staged.newest - steps) count++
    return count
  }

  /** The values of a counter with their steps, which from now on belong to the store; asked again they are the same. */
  promote(key: string): readonly (readonly [mark: number, step: number])[] {
    const staged = this.#counters.get(key)
    if (staged === undefined) return []
    staged.isPromoted = true
    return [...staged.values]
  }

  /** Ends the promotion of a counter whose values are all over. */
  rest(key: string, step: number, steps: number): void {
    const staged = this.#counters.get(key)
    if (staged === undefined || step < staged.newest + 2 * steps) return
    this.#values -= staged.values.size
    this.#counters.delete(key)
  }

  /** Reads what this and other processes staged lately, once. */
  async load(client: StoreClient, now: number): Promise<void> {
    if (this.#isLoaded) return
    const { rows } = await client.query<{ entries: Buffer }>(
      'SELECT entries FROM threat_window_log WHERE written_at >= $1 ORDER BY id DESC LIMIT $2',
      [now - LOG_SECONDS, MAX_LOG_ROWS],
    )
    for (const { entries } of rows.reverse()) {
      for (let at = 0; at + ENTRY * 4 <= entries.length; at += ENTRY * 4) {
        const key = entries.toString('hex', at, at + KEY_WORDS * 4)
        const step = entries.readInt32LE(at + KEY_WORDS * 4)
        this.add(key, step, entries.readInt32LE(at + KEY_WORDS * 4 + 4), MOST_MINUTES)
      }
    }
    this.#isLoaded = true
  }

  #staged(key: string, step: number): Staged {
    let staged = this.#counters.get(key)
    if (staged === undefined) {
      staged = { values: new Map(), newest: step, askedAt: 0, isPromoted: false }
      this.#counters.set(key, staged)
      if (this.#counters.size > this.#maxValues) this.#forgetOldest(key)
    }
    return staged
  }

  #moveOn(staged: Staged, step: number, steps: number): void {
    staged.newest = step
    for (const [mark, seen] of staged.values) {
      if (seen > step - 2 * steps) continue
      staged.values.delete(mark)
      this.#values--
    }
  }

  #forgetOldest(but: string): void {
    for (const [key, { values }] of this.#counters) {
      if (key === but) continue
      this.#counters.delete(key)
      this.#values -= values.size
      return
    }
  }
}

/** A value that was staged. */
export interface StagedValue {
  readonly key: string
  readonly step: number
  readonly mark: number
}

/** Writes what was staged in a transaction, as one row. */
export async function logStaged(
  client: StoreClient,
  values: readonly StagedValue[],
  now: number,
): Promise<void> {
  if (values.length === 0) return
  const entries = Buffer.allocUnsafe(values.length * ENTRY * 4)
  for (const [i, { key, step, mark }] of values.entries()) {
    const at = i * ENTRY * 4
    entries.write(key, at, 'hex')
    entries.writeInt32LE(step, at + KEY_WORDS * 4)
    entries.writeInt32LE(mark, at + KEY_WORDS * 4 + 4)
  }
  await client.query('INSERT INTO threat_window_log (written_at, entries) VALUES ($1, $2)', [now, entries])
}

/** The moment before which the log means nothing any more. */
export function logEnds(now: number): number {
  return now - LOG_SECONDS
}
