import type { Frontier, FrontierCounts, LeasedItem, WorkItem, WorkKind } from './frontier.ts'

interface Entry {
  readonly id: string
  item: WorkItem
  readonly order: number
  attempts: number
  failures: number
  state: 'waiting' | 'leased'
}

/** A {@link Frontier} in memory, for benches and tests: one process, and gone with it. Leases never lapse. */
export class MemoryFrontier implements Frontier {
  readonly #keys = new Set<string>()
  readonly #entries = new Map<string, Entry>()
  /** Reasons of items that failed twice. */
  readonly dead: { readonly key: string; readonly reason: string }[] = []
  #order = 0

  async add(items: readonly WorkItem[]): Promise<number> {
    let added = 0
    for (const item of items) {
      if (this.#keys.has(item.key)) continue
      this.#keys.add(item.key)
      const id = String(this.#order)
      this.#entries.set(id, { id, item, order: this.#order++, attempts: 0, failures: 0, state: 'waiting' })
      added++
    }
    return added
  }

  async take(kind: WorkKind): Promise<LeasedItem | null> {
    let best: Entry | null = null
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'waiting' || entry.item.kind !== kind) continue
      if (!best || entry.item.priority > best.item.priority) best = entry
    }
    if (!best) return null
    best.state = 'leased'
    return { ...best.item, id: best.id, attempts: best.attempts++ }
  }

  async renew(): Promise<void> {}

  async done(id: string): Promise<void> {
    this.#entries.delete(id)
  }

  async putBack(id: string, change: { readonly priority: number; readonly payload: string }): Promise<void> {
    const entry = this.#entries.get(id)
    if (!entry) return
    entry.item = { ...entry.item, ...change }
    entry.state = 'waiting'
  }

  async fail(id: string, reason: string): Promise<boolean> {
    const entry = this.#entries.get(id)
    if (!entry) return false
    if (++entry.failures >= 2) {
      this.#entries.delete(id)
      this.dead.push({ key: entry.item.key, reason })
      return false
    }
    entry.state = 'waiting'
    return true
  }

  async counts(): Promise<FrontierCounts> {
    const waiting = { load: 0, explore: 0, probe: 0 }
    let leased = 0
    for (const entry of this.#entries.values()) {
      if (entry.state === 'leased') leased++
      else waiting[entry.item.kind]++
    }
    return { waiting, leased, helpers: 0 }
  }
}
