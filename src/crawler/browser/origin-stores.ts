import { Failure } from '../../kit/index.ts'
import type { OriginStorage } from './session.ts'
import type { Tab } from './tab.ts'

/** Path of a document that the browser is given without asking the server, to reach the storage of an origin. */
export const BLANK_PATH = '/.vigil-blank'
const MAX_ORIGINS = 50
const MAX_STORAGE_CHARS = 5_000_000
const READ_MS = 500

const READ_STORAGE = `(() => {
  if (location.origin === 'null') return null
  const entries = (storage) => {
    try { return Object.entries(storage()).map(([name, value]) => [name, String(value)]) } catch { return [] }
  }
  return { origin: location.origin, local: entries(() => localStorage), session: entries(() => sessionStorage) }
})()`

function writeStorage(storage: readonly (readonly [string, string])[], name: string): string {
  return `{ const entries = ${JSON.stringify(storage)}; for (const [key, value] of entries) ${name}.setItem(key, value) }`
}

/** Local and session storage of the origins of a context. Local storage is put in once, session storage into every tab. */
export class OriginStores {
  readonly #stores = new Map<string, OriginStorage>()
  readonly #restored = new Set<string>()

  /** What is to be put in from now on. */
  begin(storage: readonly OriginStorage[]): void {
    this.#stores.clear()
    this.#restored.clear()
    for (const one of storage.slice(0, MAX_ORIGINS)) this.#stores.set(one.origin, one)
  }

  all(): OriginStorage[] {
    return [...this.#stores.values()].filter(({ local, session }) => local.length + session.length > 0)
  }

  origins(): string[] {
    return [...this.#stores.keys()]
  }

  /** Puts storage into a tab that is still empty. */
  async restoreInto(tab: Tab): Promise<void> {
    let isMoved = false
    for (const { origin, local, session } of this.all()) {
      const needsLocal = local.length > 0 && !this.#restored.has(origin)
      if (!needsLocal && session.length === 0) continue
      const { problem } = await tab.goto(origin + BLANK_PATH)
      isMoved = true
      if (problem !== null) continue
      if (needsLocal) await tab.evaluate(writeStorage(local, 'localStorage'), { isolated: true })
      await tab.evaluate(writeStorage(session, 'sessionStorage'), { isolated: true })
      this.#restored.add(origin)
    }
    if (isMoved) await tab.goto('about:blank')
  }

  /** Notes the storage of the origin that a tab shows. A tab that does not answer tells nothing. */
  async read(tab: Tab): Promise<void> {
    if (!/^https?:/.test(tab.url)) return
    try {
      const storage = await tab.evaluate<OriginStorage | null>(READ_STORAGE, {
        isolated: true,
        deadlineMs: READ_MS,
      })
      if (storage === null || JSON.stringify(storage).length > MAX_STORAGE_CHARS) return
      if (this.#stores.size >= MAX_ORIGINS && !this.#stores.has(storage.origin)) return
      this.#stores.set(storage.origin, storage)
      this.#restored.add(storage.origin)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
}
