import { createHash } from 'node:crypto'
import { BoundedSet } from './bounded-set.ts'
import { actionLook } from './fingerprint.ts'
import type { PageAction } from './page/survey-types.ts'
import type { Learn } from './shared-memory.ts'

/**
 * Locations on which an element has to be seen to count as part of every page, and their share of all. Those of one
 * folder do not do: records with names in their addresses all have the same buttons.
 */
const EVERYWHERE = 4
const SHARE = 0.5
/** Elements remembered. */
const CAPACITY = 20_000

interface Sighting {
  location: string
  locations: number
  /** Folder of the first location; null once others were seen. */
  folder: string | null
}

/** Remembers which elements pages have shown, and how many locations show the same one. */
export class Looks {
  readonly #learn: Learn
  readonly #sightings = new Map<string, Sighting>()
  readonly #locations = new BoundedSet(CAPACITY)

  constructor(learn: Learn = () => {}) {
    this.#learn = learn
  }

  /** Notes an element that an action brought to light: it says nothing of other pages. @returns whether it is new */
  noteOpened(action: PageAction): boolean {
    const key = keyOf(action)
    if (this.#sightings.has(key)) return false
    this.#add(key, { location: '', locations: 0, folder: '' })
    return true
  }

  /** Notes an element that a page showed on its own. @returns whether nothing like it was seen before */
  note(action: PageAction, location: string): boolean {
    const key = keyOf(action)
    const known = this.#sightings.get(key)
    const folder = folderOf(location)
    this.#locations.add(location)
    if (known) {
      if (known.location !== location) {
        known.locations++
        if (known.locations <= EVERYWHERE) this.#learn('look', key)
      }
      known.location = location
      if (known.folder === '') known.folder = folder
      else if (known.folder !== folder) known.folder = null
      return false
    }
    this.#learn('look', key)
    this.#add(key, { location, locations: 1, folder })
    return true
  }

  /** Takes over how many locations show an element, by anyone who saw it. */
  restore(key: string, locations: number): void {
    this.#add(key, { location: this.#sightings.get(key)?.location ?? '', locations, folder: null })
  }

  #add(key: string, sighting: Sighting): void {
    this.#sightings.set(key, sighting)
    if (this.#sightings.size > CAPACITY) {
      const oldest = this.#sightings.keys().next()
      if (!oldest.done) this.#sightings.delete(oldest.value)
    }
  }

  /** Locations that were seen. */
  get pages(): number {
    return this.#locations.size
  }

  /** Whether the element belongs to the frame of all pages, as a tool bar does. */
  isEverywhere(action: PageAction): boolean {
    const { locations, folder } = this.#sightings.get(keyOf(action)) ?? { locations: 0, folder: '' }
    return folder === null && locations >= EVERYWHERE && locations >= this.#locations.size * SHARE
  }
}

/** Where a location stands: what comes before the last segment of its path or route, itself where that is the first. */
function folderOf(location: string): string {
  const [path = '', hash] = location.replace(/^\w+:\/\/[^/]+/, '').split('#')
  const route = (hash ?? path).replace(/\?.*$/s, '')
  const segments = route.split('/')
  return segments.length > 2 ? segments.slice(0, -1).join('/') : route
}

/** Handlers tell elements apart that only look alike. */
function keyOf(action: PageAction): string {
  const look = `${actionLook(action)}|${action.handlers}`
  return createHash('sha256').update(look).digest('base64').slice(0, 16)
}
