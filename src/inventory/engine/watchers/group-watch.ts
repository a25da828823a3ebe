import type { Store } from '../../../store/index.ts'
import { groupsByCondition, regroup } from '../../collections/index.ts'
import type { Memory } from '../place/index.ts'
import type { EndpointState } from '../state/index.ts'

/** Endpoints judged with one set of statements. */
const CHUNK = 1000

/**
 * Keeps groups true while endpoints come and change: what changed is noted with each transaction and judged together
 * soon after, so the work goes with the number of changes and not with that of messages.
 */
export class GroupWatch {
  readonly #store: Store
  readonly #memory: Memory
  readonly #changed = new Set<number>()
  /** Endpoints from this id on are judged all; null when none are. */
  #allFrom: number | null = 0
  #work: Promise<void> | null = null
  #isClosed = false

  constructor(store: Store, memory: Memory) {
    this.#store = store
    this.#memory = memory
  }

  /** Notes endpoints of a committed transaction. */
  note(states: Iterable<EndpointState>): void {
    for (const { id } of states) this.#changed.add(id)
  }

  /** Notes all endpoints, after something that may concern any of them. */
  noteAll(): void {
    this.#allFrom = 0
  }

  /** Judges what was noted; one run at a time. */
  run(): Promise<void> {
    this.#work ??= this.#judge().finally(() => {
      this.#work = null
    })
    return this.#work
  }

  /** Ends a run at its next step. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#work
  }

  async #judge(): Promise<void> {
    await this.#noteMoved()
    if (this.#changed.size === 0 && this.#allFrom === null) return
    if ((await groupsByCondition(this.#store)).length === 0) {
      // A group that is made later begins with its members.
      this.#changed.clear()
      this.#allFrom = null
      return
    }
    while (!this.#isClosed && this.#changed.size > 0) {
      const ids = [...this.#changed].slice(0, CHUNK)
      await regroup(this.#store, await this.#rootsOf(ids))
      for (const id of ids) this.#changed.delete(id)
    }
    while (!this.#isClosed && this.#allFrom !== null) {
      const from: number = this.#allFrom
      const { rows } = await this.#store.pool.query<{ id: number }>(
        'SELECT id FROM endpoints WHERE is_listed AND id > $1 ORDER BY id LIMIT $2',
        [from, CHUNK],
      )
      const ids = rows.map((row) => row.id)
      await regroup(this.#store, ids)
      // Asked for again meanwhile: begin anew.
      if (this.#allFrom === from) this.#allFrom = ids.length < CHUNK ? null : ids.at(-1)!
    }
  }

  /** Templates that were made, and paths that were split off. */
  async #noteMoved(): Promise<void> {
    for (const collection of this.#memory.collections.values()) {
      if (collection.movedUrls.size === 0) continue
      const urls = [...collection.movedUrls]
      const { rows } = await this.#store.pool.query<{ id: number }>(
        'SELECT id FROM endpoints WHERE collection_id = $1 AND url = ANY ($2::text[]) AND is_listed',
        [collection.id, urls],
      )
      for (const url of urls) collection.movedUrls.delete(url)
      for (const { id } of rows) this.#changed.add(id)
    }
  }

  async #rootsOf(ids: readonly number[]): Promise<number[]> {
    const { rows } = await this.#store.pool.query<{ id: number }>(
      'SELECT DISTINCT root_id AS id FROM endpoints WHERE id = ANY ($1::bigint[]) AND root_id <> 0',
      [ids],
    )
    return rows.map((row) => row.id)
  }
}
