import type { ProbeUse } from './probe.ts'

/** Filters that a message was found to concern, by position, each with what was found of it. */
export class Concerns {
  readonly #stamps: Int32Array
  readonly #uses: (ProbeUse | null)[]
  readonly #filters: number[] = []
  #stamp = 0

  /** @param count filters of the set */
  constructor(count: number) {
    this.#stamps = new Int32Array(count)
    this.#uses = new Array<ProbeUse | null>(count).fill(null)
  }

  /** Turns to another message. */
  begin(): void {
    this.#stamp++
    this.#filters.length = 0
  }

  has(filter: number): boolean {
    return this.#stamps[filter] === this.#stamp
  }

  /** @param use what was found of a filter that is a mere choice; null for one that has to be evaluated */
  add(filter: number, use: ProbeUse | null): void {
    this.#stamps[filter] = this.#stamp
    this.#uses[filter] = use
    this.#filters.push(filter)
  }

  found(filter: number): ProbeUse | null {
    return this.#uses[filter]!
  }

  /** The filters in the order of the set. They are few: each is moved to its place. */
  sorted(): readonly number[] {
    const filters = this.#filters
    for (let i = 1; i < filters.length; i++) {
      const filter = filters[i]!
      let at = i
      for (; at > 0 && filters[at - 1]! > filter; at--) filters[at] = filters[at - 1]!
      filters[at] = filter
    }
    return filters
  }
}
