import type { FoundActor } from '../actors/find-actor.ts'
import type { Evidence } from '../evaluate/hit.ts'
import type { AggregationRule, Filter, FilterPart, FilterSeverity } from '../filters/filter.ts'

/** What events tell of a filter, as it was when it matched. */
export interface FoundFilter {
  readonly id: string
  readonly category: string
  readonly subCategory: string
  readonly severity: FilterSeverity
  readonly rules: readonly AggregationRule[]
}

/** A hit on its way from the thread that found it to the one that stores it. */
export interface FoundHit {
  readonly filter: FoundFilter
  readonly part: FilterPart
  readonly evidence: readonly Evidence[]
  /** Marks of distinct values, one for each rule; see `valueMark`. */
  readonly values: readonly (number | null)[]
}

/** What detection says of one message. */
export interface Finding {
  readonly actor: FoundActor
  readonly destCountry: string
  readonly isExploit: boolean
  readonly isIgnored: boolean
  /** Parts of the message were not looked at: it is beyond a limit. */
  readonly isTruncated: boolean
  readonly hits: readonly FoundHit[]
}

interface Packed {
  filters: FoundFilter[]
  /** index of the message, and its finding with filters by their place in `filters` */
  messages: [
    number,
    Omit<Finding, 'hits'>,
    [number, FilterPart, readonly Evidence[], readonly (number | null)[]][],
  ][]
}

/** Gathers the findings of one call into bytes that threads hand on without reading. */
export class FindingPacker {
  readonly #places = new Map<Filter, number>()
  readonly #packed: Packed = { filters: [], messages: [] }

  /** Adds what was found in the message at an index. */
  add(
    index: number,
    finding: Omit<Finding, 'hits'>,
    hits: readonly {
      filter: Filter
      part: FilterPart
      evidence: readonly Evidence[]
      values: readonly (number | null)[]
    }[],
  ): void {
    this.#packed.messages.push([
      index,
      finding,
      hits.map(({ filter, part, evidence, values }) => [this.#placeOf(filter), part, evidence, values]),
    ])
  }

  /** The bytes; null when nothing was found. */
  pack(): Uint8Array<ArrayBuffer> | null {
    if (this.#packed.messages.length === 0) return null
    // Not from the shared pool of buffers: the memory is given away.
    return new TextEncoder().encode(JSON.stringify(this.#packed))
  }

  #placeOf(filter: Filter): number {
    const known = this.#places.get(filter)
    if (known !== undefined) return known
    const { id, info, rules } = filter
    const { category, subCategory, severity } = info
    this.#places.set(filter, this.#packed.filters.length)
    return this.#packed.filters.push({ id, category: category.name, subCategory, severity, rules }) - 1
  }
}

/** Reads what a {@link FindingPacker} of this process wrote: findings by index of the message. */
export function unpackFindings(bytes: Uint8Array): ReadonlyMap<number, Finding> {
  const { filters, messages } = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
  ) as Packed
  return new Map(
    messages.map(([index, finding, hits]) => [
      index,
      {
        ...finding,
        hits: hits.map(([place, part, evidence, values]) => ({
          filter: filters[place]!,
          part,
          evidence,
          values,
        })),
      },
    ]),
  )
}
