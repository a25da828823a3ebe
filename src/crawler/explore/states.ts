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
  explorations: number
}

/** What was seen and done at each location, bounded. */
export class States {
  readonly #locations = new Map<string, Location>()
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

  /** Whether an action was done at this location. */
  isDone(location: string, action: string): boolean {
    return this.#of(location).done.has(action)
  }

  /** Notes that an action was done, and one more of its repeated structure. */
  markDone(location: string, action: string, structure: string): void {
    const known = this.#of(location)
    if (known.done.size < ACTIONS) known.done.add(action)
    known.samples.set(structure, (known.samples.get(structure) ?? 0) + 1)
  }

  /** How many elements of a repeated structure were acted on. */
  samples(location: string, structure: string): number {
    return this.#of(location).samples.get(structure) ?? 0
  }

  /** Number of times work at this location was queued, counting this one. */
  countExploration(location: string): number {
    return ++this.#of(location).explorations
  }

  #of(key: string): Location {
    const known = this.#locations.get(key) ?? {
      exact: new Set(),
      rough: [],
      done: new Set(),
      samples: new Map(),
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
