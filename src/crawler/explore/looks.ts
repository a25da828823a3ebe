import { actionLook } from './fingerprint.ts'
import type { PageAction } from './page/survey-types.ts'

/** Locations on which an element has to be seen to count as part of every page. */
const EVERYWHERE = 4
/** Elements remembered. */
const CAPACITY = 20_000

interface Sighting {
  location: string
  locations: number
}

/** Remembers which elements pages have shown, and how many locations show the same one. */
export class Looks {
  readonly #sightings = new Map<string, Sighting>()

  /** Notes an element. @returns whether nothing like it was seen before */
  note(action: PageAction, location: string): boolean {
    const key = keyOf(action)
    const known = this.#sightings.get(key)
    if (known) {
      if (known.location !== location) known.locations++
      known.location = location
      return false
    }
    this.#sightings.set(key, { location, locations: 1 })
    if (this.#sightings.size > CAPACITY) {
      const oldest = this.#sightings.keys().next()
      if (!oldest.done) this.#sightings.delete(oldest.value)
    }
    return true
  }

  /** Whether the element belongs to the frame of all pages, as a tool bar does. */
  isEverywhere(action: PageAction): boolean {
    return (this.#sightings.get(keyOf(action))?.locations ?? 0) >= EVERYWHERE
  }
}

/** Handlers tell elements apart that only look alike. */
function keyOf(action: PageAction): string {
  return `${actionLook(action)}|${action.handlers}`
}
