import { ROUGH_DISTANCE, roughDistance } from './fingerprint.ts'
import type { Learn } from './shared-memory.ts'

/** Alike siblings after which a folder is closed. */
const ENOUGH = 12
/** Elements below which a page is too small to be told from another by its look. */
const LEAST_ELEMENTS = 30
/** Folders remembered. */
const FOLDERS = 5_000

interface Folder {
  rough: readonly [number, number]
  alike: number
}

/**
 * Notices folders whose pages are all alike although their names tell nothing (`/blog/some-title`): after a dozen that
 * look the same and call nothing new, the rest is left out.
 */
export class SiblingPages {
  readonly #learn: Learn
  readonly #folders = new Map<string, Folder>()

  constructor(learn: Learn = () => {}) {
    this.#learn = learn
  }

  /** Whether enough pages of this URL's folder were seen. */
  isEnough(url: URL): boolean {
    return (this.#folders.get(folderOf(url))?.alike ?? 0) >= ENOUGH
  }

  /**
   * Notes a visited page. `isFruitful`: it called something new beside itself.
   *
   * @returns a template for the folder when this page closed it, for the operator to adopt; null otherwise
   */
  note(url: URL, rough: readonly [number, number], elements: number, isFruitful: boolean): string | null {
    const key = folderOf(url)
    if (elements < LEAST_ELEMENTS || url.pathname === '/') return null
    const known = this.#folders.get(key)
    const isAlike = known !== undefined && roughDistance(known.rough, rough) <= ROUGH_DISTANCE && !isFruitful
    const alike = isAlike ? known.alike + 1 : known !== undefined && known.alike >= ENOUGH ? known.alike : 1
    const grown = alike - (known?.alike ?? 0)
    this.#learn('sibling', key, isAlike ? 1 : grown === 0 ? 0 : -1 - alike, rough.join(' '))
    this.restore(key, alike, rough)
    return alike === ENOUGH && isAlike ? `${key.slice(url.origin.length)}{name}` : null
  }

  /** Takes over how many pages of a folder in a row were alike, by whoever saw them. */
  restore(key: string, alike: number, rough: readonly [number, number]): void {
    this.#folders.delete(key)
    this.#folders.set(key, { rough, alike })
    if (this.#folders.size > FOLDERS) {
      const oldest = this.#folders.keys().next()
      if (!oldest.done) this.#folders.delete(oldest.value)
    }
  }
}

function folderOf(url: URL): string {
  const route = /^#!?\//.test(url.hash) ? url.hash.replace(/[^/]*$/, '') : ''
  return route === '' ? url.origin + url.pathname.replace(/[^/]*$/, '') : url.origin + url.pathname + route
}
