import { KnownEndpoints } from '../../inventory/index.ts'
import type { Store } from '../../store/index.ts'

const MAX_ENDPOINTS = 100_000

/** The paths that endpoints of a collection stand for. */
export class KnownPaths {
  readonly #endpoints = new KnownEndpoints()
  readonly #collectionId: number

  private constructor(collectionId: number) {
    this.#collectionId = collectionId
  }

  /** Reads the endpoints of a collection, merged ones among them: those are the paths that templates were learned of. */
  static async read(store: Store, collectionId: number): Promise<KnownPaths> {
    const { rows } = await store.pool.query<{ url: string; origin: string; is_template: boolean }>(
      `SELECT DISTINCT url, origin, is_template FROM endpoints WHERE collection_id = $1 LIMIT ${MAX_ENDPOINTS}`,
      [collectionId],
    )
    const known = new KnownPaths(collectionId)
    for (const { url, origin, is_template: isTemplate } of rows)
      known.#endpoints.add({ collectionId, method: 'GET', url, origin, isTemplate })
    return known
  }

  /** Whether an endpoint stands for the path of a URL, by whatever method. */
  has(url: string): boolean {
    return this.#endpoints.has(this.#collectionId, null, url)
  }
}
