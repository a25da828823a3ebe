import { ROUGH_DISTANCE, roughDistance } from './fingerprint.ts'
import type { Learn } from './shared-memory.ts'

/** Alike siblings after which a folder is closed. */
const ENOUGH = 12
/** The same of the root: its pages are the parts of an application, whose frame is what looks alike. */
const ENOUGH_OF_ROOT = 40
/** Pages of a folder after which controls that no page had before do not tell that they are different any more. */
const MOST_DIFFERENT = 60
/** Elements below which a page is too small to be told from another by its look. */
const LEAST_ELEMENTS = 30
/** Folders remembered. */
const FOLDERS = 5_000

interface Folder {
  rough: readonly [number, number]
  alike: number
  /** Pages that this process has seen. */
  pages: number
}

/** What tells a page from its siblings, whatever frame they share. */
export interface SiblingFacts {
  readonly rough: readonly [number, number]
  readonly elements: number
  /** It called something new beside itself. */
  readonly isFruitful: boolean
  /** It has buttons or fields that no page had before. */
  readonly offersNews: boolean
}

/**
 * Notices folders whose pages are all alike although their names tell nothing (`/blog/some-title`): after a dozen that
 * look the same, call nothing new and offer nothing new, the rest is left out. The parts of an application below the name
 * of a customer (`/acme/mail`) share a frame, and each has its own buttons.
 */
export class SiblingPages {
  readonly #learn: Learn
  readonly #folders = new Map<string, Folder>()

  constructor(learn: Learn = () => {}) {
    this.#learn = learn
  }

  /**
   * Whether enough pages of this URL's folder were seen.
   *
   * @param isPart the navigation names it: as a part of the application it is not known by its frame
   */
  isEnough(url: URL, isPart = false): boolean {
    const enough = isPart ? ENOUGH_OF_ROOT : enoughOf(url)
    return (this.#folders.get(folderOf(url))?.alike ?? 0) >= enough
  }

  /**
   * Notes a visited page.
   *
   * @returns a template for the folder when this page closed it, for the operator to adopt; null otherwise
   */
  note(url: URL, { rough, elements, isFruitful, offersNews }: SiblingFacts): string | null {
    const key = folderOf(url)
    if (elements < LEAST_ELEMENTS || url.pathname === '/') return null
    const known = this.#folders.get(key)
    const isOther = isFruitful || (offersNews && (known?.pages ?? 0) < MOST_DIFFERENT)
    const isAlike = known !== undefined && roughDistance(known.rough, rough) <= ROUGH_DISTANCE && !isOther
    const alike = isAlike
      ? known.alike + 1
      : known !== undefined && known.alike >= enoughOf(url)
        ? known.alike
        : 1
    const grown = alike - (known?.alike ?? 0)
    this.#learn('sibling', key, isAlike ? 1 : grown === 0 ? 0 : -1 - alike, rough.join(' '))
    this.restore(key, alike, rough)
    return alike === enoughOf(url) && isAlike ? `${key.slice(url.origin.length)}{name}` : null
  }

  /** Takes over how many pages of a folder in a row were alike, by anyone who saw them. */
  restore(key: string, alike: number, rough: readonly [number, number]): void {
    const pages = (this.#folders.get(key)?.pages ?? 0) + 1
    this.#folders.delete(key)
    this.#folders.set(key, { rough, alike, pages })
    if (this.#folders.size > FOLDERS) {
      const oldest = this.#folders.keys().next()
      if (!oldest.done) this.#folders.delete(oldest.value)
    }
  }
}

function enoughOf(url: URL): number {
  return folderOf(url) === `${url.origin}/` ? ENOUGH_OF_ROOT : ENOUGH
}

function folderOf(url: URL): string {
  const route = /^#!?\//.test(url.hash) ? url.hash.replace(/[^/]*$/, '') : ''
  return route === '' ? url.origin + url.pathname.replace(/[^/]*$/, '') : url.origin + url.pathname + route
}
