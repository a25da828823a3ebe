import { templateWords } from '../../contract/index.ts'
import type { Store } from '../../store/index.ts'

const MAX_ENDPOINTS = 100_000
const PARAMETERS: ReadonlySet<string> = new Set(templateWords)

/** The paths that endpoints of a collection stand for. */
export class KnownPaths {
  readonly #exact = new Set<string>()
  readonly #templates = new Map<number, string[][]>()

  /** Reads the endpoints of a collection, merged ones among them: those are the paths that templates were learned of. */
  static async read(store: Store, collectionId: number): Promise<KnownPaths> {
    const { rows } = await store.pool.query<{ url: string; is_template: boolean }>(
      `SELECT DISTINCT url, is_template FROM endpoints WHERE collection_id = $1 LIMIT ${MAX_ENDPOINTS}`,
      [collectionId],
    )
    const known = new KnownPaths()
    for (const { url, is_template: isTemplate } of rows) known.#add(pathOf(url), isTemplate)
    return known
  }

  /** Whether an endpoint stands for the path of a URL, by whatever method. */
  has(url: string): boolean {
    const path = pathOf(url)
    if (this.#exact.has(path)) return true
    const segments = path.split('/')
    return (this.#templates.get(segments.length) ?? []).some((template) =>
      template.every((segment, i) => PARAMETERS.has(segment) || segment === segments[i]),
    )
  }

  #add(path: string, isTemplate: boolean): void {
    if (!isTemplate) {
      this.#exact.add(path)
      return
    }
    const segments = path.split('/')
    const alike = this.#templates.get(segments.length)
    if (alike === undefined) this.#templates.set(segments.length, [segments])
    else alike.push(segments)
  }
}

/** Path of a URL, absolute or not, without query, fragment and a slash at the end. */
function pathOf(url: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? /^[^?#]*/.exec(url)![0]
  return path.replace(/\/+$/, '') || '/'
}
