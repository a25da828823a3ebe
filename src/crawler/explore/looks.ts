import { createHash } from 'node:crypto'
import { actionLook } from './fingerprint.ts'
import type { PageAction } from './page/survey-types.ts'
import type { Learn } from './shared-memory.ts'

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
  readonly #learn: Learn
  readonly #sightings = new Map<string, Sighting>()

  constructor(learn: Learn = () => {}) {
    this.#learn = learn
  }

  /** Notes an element that an action brought to light: it says nothing of other pages. @returns whether it is new */
  noteOpened(action: PageAction): boolean {
    const key = keyOf(action)
    if (this.#sightings.has(key)) return false
    this.#add(key, { location: '', locations: 0 })
    return true
  }

  /** Notes an element that a page showed on its own. @returns whether nothing like it was seen before */
  note(action: PageAction, location: string): boolean {
    const key = keyOf(action)
    const known = this.#sightings.get(key)
    if (known) {
      if (known.location !== location) {
        known.locations++
        if (known.locations <= EVERYWHERE) this.#learn('look', key)
      }
      known.location = location
      return false
    }
    this.#learn('look', key)
    this.#add(key, { location, locations: 1 })
    return true
  }

  /** Takes over how many locations show an element, by anyone who saw it. */
  restore(key: string, locations: number): void {
    this.#add(key, { location: this.#sightings.get(key)?.location ?? '', locations })
  }

  #add(key: string, sighting: Sighting): void {
    this.#sightings.set(key, sighting)
    if (this.#sightings.size > CAPACITY) {
      const oldest = this.#sightings.keys().next()
      if (!oldest.done) this.#sightings.delete(oldest.value)
    }
  }

  /** Whether the element belongs to the frame of all pages, as a tool bar does. */
  isEverywhere(action: PageAction): boolean {
    return (this.#sightings.get(keyOf(action))?.locations ?? 0) >= EVERYWHERE
  }
}

/** Handlers tell elements apart that only look alike. */
function keyOf(action: PageAction): string {
  const look = `${actionLook(action)}|${action.handlers}`
  return createHash('sha256').update(look).digest('base64').slice(0, 16)
}
