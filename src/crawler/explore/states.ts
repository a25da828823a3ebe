import type { Fingerprint } from './fingerprint.ts'
import { ROUGH_DISTANCE, roughDistance } from './fingerprint.ts'

/** States kept for one location. */
const PER_LOCATION = 40
/** Locations kept; the ones used longest ago are forgotten. */
const LOCATIONS = 4_000
/** Actions remembered for one location. */
const ACTIONS = 2_000

interface Location {
  readonly exact: Set<string>
  readonly rough: (readonly [number, number])[]
  readonly done: Set<string>
  readonly samples: Map<string, number>
  /** Actions that the application refused: how often, and the accepted writes there were then. */
  readonly refused: Map<string, { times: number; writes: number }>
  /** What an action brought to light, such as the entries of a menu, and how often it was done again for them. */
  readonly revealed: Map<string, { readonly inner: readonly RevealedAction[]; undone: number }>
  explorations: number
}

/** An action that another one brought to light. */
interface RevealedAction {
  readonly key: string
  readonly signature: string
}

/** Actions kept of those that one brought to light. */
const MOST_REVEALED = 25
/** Times a refused action is tried again. */
const REFUSALS = 2
/** Last actions whose moment is remembered. */
const LAST_DONE = 2_000

/** What was seen and done at each location, bounded. */
export class States {
  readonly #locations = new Map<string, Location>()
  readonly #lastDone: { readonly location: string; readonly action: string; readonly atMs: number }[] = []
  /** Distinct states so far. */
  count = 0

  /** Notes a state. `look` is new when nothing alike was seen at this location, not even roughly. */
  note(location: string, fingerprint: Fingerprint): { readonly isNew: boolean; readonly isNewLook: boolean } {
    const known = this.#of(location)
    const isNewLook = known.rough.every((rough) => roughDistance(rough, fingerprint.rough) > ROUGH_DISTANCE)
    if (known.exact.has(fingerprint.exact)) return { isNew: false, isNewLook: false }
    if (known.exact.size >= PER_LOCATION) return { isNew: false, isNewLook: false }
    known.exact.add(fingerprint.exact)
    if (isNewLook) known.rough.push(fingerprint.rough)
    this.count++
    return { isNew: true, isNewLook }
  }

  /**
   * Whether an action was done at this location. One that was refused is tried again when more kinds of writes were
   * accepted since: what it needs may be there now.
   */
  isDone(location: string, action: string, writes = 0): boolean {
    const known = this.#of(location)
    if (!known.done.has(action)) return false
    const refused = known.refused.get(action)
    return refused === undefined || refused.times > REFUSALS || refused.writes >= writes
  }

  /** Whether nothing was done at this location. */
  isUntouched(location: string): boolean {
    return this.#of(location).done.size === 0
  }

  /** Notes that what an action sent was refused. `writes`: kinds of accepted writes so far. */
  markRefused(location: string, action: string, writes: number): void {
    const { refused } = this.#of(location)
    if (refused.size < 50) refused.set(action, { times: (refused.get(action)?.times ?? 0) + 1, writes })
  }

  /** Notes that an action was not refused this time: it is done. */
  markAccepted(location: string, action: string): void {
    this.#of(location).refused.delete(action)
  }

  /** Whether something at this location was refused and may be tried again. */
  hasRefused(location: string): boolean {
    return [...this.#of(location).refused.values()].some(({ times }) => times <= REFUSALS)
  }

  /** Notes that an action was done, and one more of its repeated structure. */
  markDone(location: string, action: string, structure: string): void {
    const known = this.#of(location)
    if (known.done.size < ACTIONS) known.done.add(action)
    this.#lastDone.push({ location, action, atMs: Date.now() })
    if (this.#lastDone.length > LAST_DONE) this.#lastDone.splice(0, LAST_DONE / 2)
    // What carries a word counts for its structure as well.
    const whole = structure.replace(/ @.*$/s, '')
    for (const each of new Set([structure, whole]))
      known.samples.set(each, (known.samples.get(each) ?? 0) + 1)
  }

  /** Takes back that an action was done: it came to no end. */
  unmarkDone(location: string, action: string): void {
    this.#of(location).done.delete(action)
  }

  /** Takes back what was done at a location since a moment (epoch milliseconds): it was done without the session. */
  unmarkSince(location: string, sinceMs: number): void {
    for (const done of this.#lastDone)
      if (done.location === location && done.atMs > sinceMs) this.unmarkDone(location, done.action)
  }

  /** Notes what an action brought to light on the same page. */
  noteRevealed(location: string, action: string, inner: readonly RevealedAction[]): void {
    const { revealed, done } = this.#of(location)
    const known = revealed.get(action)
    if (known) {
      // Done again without getting on: what is left of it cannot be reached this way.
      const undone = known.inner.filter(({ key }) => !done.has(key)).length
      known.undone = undone < known.undone ? undone : 0
    } else if (inner.length > 0 && revealed.size < 100) {
      const kept = inner.slice(0, MOST_REVEALED)
      revealed.set(action, { inner: kept, undone: kept.length })
    }
  }

  /**
   * Whether an action brought others to light that were not done yet: one entry of a menu leads away, and the menu has to
   * be opened again for the next. `isWorthless` tells which of them are not worth it.
   */
  hasUnfinished(
    location: string,
    action: string,
    isWorthless: (inner: RevealedAction) => boolean,
    depth = 0,
  ): boolean {
    const known = this.#of(location)
    const found = known.revealed.get(action)
    if (!found || found.undone === 0 || depth > 3) return false
    return found.inner.some((inner) => {
      if (inner.key === action || isWorthless(inner)) return false
      if (!known.done.has(inner.key)) return true
      return this.hasUnfinished(location, inner.key, isWorthless, depth + 1)
    })
  }

  /** How many elements of a repeated structure were acted on. */
  samples(location: string, structure: string): number {
    return this.#of(location).samples.get(structure) ?? 0
  }

  /** Number of times work at this location was queued, counting this one. */
  countExploration(location: string): number {
    return ++this.#of(location).explorations
  }

  /** Takes over how often work at this location was queued, by anyone who did. */
  restoreExplorations(location: string, times: number): void {
    this.#of(location).explorations = times
  }

  /** Whether an action has come to its end: nothing it brought to light is left, and nothing to be tried again. */
  isOver(location: string, action: string): boolean {
    const { refused, revealed } = this.#of(location)
    return !refused.has(action) && (revealed.get(action)?.undone ?? 0) === 0
  }

  #of(key: string): Location {
    const known = this.#locations.get(key) ?? {
      exact: new Set(),
      rough: [],
      done: new Set(),
      samples: new Map(),
      refused: new Map(),
      revealed: new Map(),
      explorations: 0,
    }
    this.#locations.delete(key)
    this.#locations.set(key, known)
    if (this.#locations.size > LOCATIONS) {
      const oldest = this.#locations.keys().next()
      if (!oldest.done) this.#locations.delete(oldest.value)
    }
    return known
  }
}
