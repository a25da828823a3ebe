/** A set that forgets what was added or asked for longest ago, so that it never grows beyond its capacity. */
export class BoundedSet {
  readonly #entries = new Set<string>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  /** @returns whether it was new */
  add(entry: string): boolean {
    const isNew = !this.#entries.delete(entry)
    this.#entries.add(entry)
    if (this.#entries.size > this.#capacity) {
      const oldest = this.#entries.values().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    return isNew
  }

  delete(entry: string): void {
    this.#entries.delete(entry)
  }

  has(entry: string): boolean {
    return this.#entries.has(entry)
  }
}
