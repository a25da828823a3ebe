import { BoundedSet } from './bounded-set.ts'
import type { WorkItem } from './frontier.ts'
import type { ExplorePayload } from './load-page.ts'
import type { Learn } from './shared-memory.ts'

/** Pages kept. */
const MOST = 500
/** End of the key of work that is done when nothing else is left. */
const LAST = ' last'

/** Pages with actions that were avoided, for mode `last`: they come when nothing else is left. */
export class AvoidedPages {
  readonly #learn: Learn
  readonly #actions = new BoundedSet(10_000)
  readonly #pages = new Map<string, string>()

  constructor(learn: Learn) {
    this.#learn = learn
  }

  /** Notes an action of a location that was avoided, and a URL of it. @returns whether it is the first time */
  note(location: string, action: string, url: string): boolean {
    if (!this.#actions.add(`${location} ${action}`)) return false
    if (this.#pages.size < MOST && !this.#pages.has(location)) {
      this.#pages.set(location, url)
      this.#learn('avoided', location, 1, url)
    }
    return true
  }

  /** Takes in a page of another process. */
  restore(location: string, url: string): void {
    this.#pages.set(location, url)
  }

  /** Work on these pages. */
  get work(): WorkItem[] {
    return [...this.#pages].map(([location, url]) => ({
      kind: 'explore',
      key: `explore ${location}${LAST}`,
      location,
      priority: 0,
      payload: JSON.stringify({ url, path: [], round: 0 } satisfies ExplorePayload),
    }))
  }
}

/** Whether the key of work is that of a page with actions that were avoided. */
export function isLastWork(key: string): boolean {
  return key.endsWith(LAST)
}
