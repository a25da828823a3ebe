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

/** Findings as flat lists: of the thousands that wait for the end of a transaction few are ever read as a whole. */
interface Packed {
  filters: FoundFilter[]
  actors: FoundActor[]
  /** By message: its index, and where it begins in `words`. */
  messages: number[]
  /**
   * By message: place of its actor, country of the destination, bits of {@link FLAG}, number of hits; by hit: place of its
   * filter, part, number of pieces of evidence and these, number of values and these.
   */
  words: Word[]
}

type Word = string | number | null

const FLAG = { EXPLOIT: 1, IGNORED: 2, TRUNCATED: 4 } as const

/** A hit as it is packed. */
interface PackableHit {
  readonly filter: Filter
  readonly part: FilterPart
  readonly evidence: readonly Evidence[]
  readonly values: readonly (number | null)[]
}

/** Gathers the findings of one call into bytes that threads hand on without reading. */
export class FindingPacker {
  readonly #filters = new Map<Filter, number>()
  readonly #actors = new Map<string, number>()
  readonly #packed: Packed = { filters: [], actors: [], messages: [], words: [] }

  /** Adds what was found in the message at an index. */
  add(index: number, finding: Omit<Finding, 'hits'>, hits: readonly PackableHit[]): void {
    const { messages, words } = this.#packed
    messages.push(index, words.length)
    const { EXPLOIT, IGNORED, TRUNCATED } = FLAG
    const { actor, destCountry, isExploit, isIgnored, isTruncated } = finding
    const flags = (isExploit ? EXPLOIT : 0) | (isIgnored ? IGNORED : 0) | (isTruncated ? TRUNCATED : 0)
    words.push(this.#placeOfActor(actor), destCountry, flags, hits.length)
    for (const { filter, part, evidence, values } of hits) {
      words.push(this.#placeOf(filter), part, evidence.length)
      for (const { location, name, view, start, end, phrase } of evidence)
        words.push(location, name, view, start, end, phrase)
      words.push(values.length, ...values)
    }
  }

  /** The bytes; null when nothing was found. */
  pack(): Uint8Array<ArrayBuffer> | null {
    if (this.#packed.messages.length === 0) return null
    // Not from the shared pool of buffers: the memory is given away.
    return new TextEncoder().encode(JSON.stringify(this.#packed))
  }

  #placeOf(filter: Filter): number {
    const known = this.#filters.get(filter)
    if (known !== undefined) return known
    const { id, info, rules } = filter
    const { category, subCategory, severity } = info
    this.#filters.set(filter, this.#packed.filters.length)
    return this.#packed.filters.push({ id, category: category.name, subCategory, severity, rules }) - 1
  }

  #placeOfActor({ id, ip, country }: FoundActor): number {
    const key = `${id}\n${ip}`
    const known = this.#actors.get(key)
    if (known !== undefined) return known
    this.#actors.set(key, this.#packed.actors.length)
    return this.#packed.actors.push({ id, ip, country }) - 1
  }
}

/** Reads what a {@link FindingPacker} of this process wrote: findings by index of the message. */
export function unpackFindings(bytes: Uint8Array): ReadonlyMap<number, Finding> {
  const packed = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(),
  ) as Packed
  const findings = new Map<number, Finding>()
  const { messages } = packed
  for (let i = 0; i < messages.length; i += 2)
    findings.set(messages[i]!, new PackedFinding(packed, messages[i + 1]!))
  return findings
}

/** A finding that is read from its words when it is asked for. */
class PackedFinding implements Finding {
  readonly #packed: Packed
  readonly #start: number

  constructor(packed: Packed, start: number) {
    this.#packed = packed
    this.#start = start
  }

  get actor(): FoundActor {
    return this.#packed.actors[this.#number(0)]!
  }

  get destCountry(): string {
    return this.#packed.words[this.#start + 1] as string
  }

  get isExploit(): boolean {
    return (this.#number(2) & FLAG.EXPLOIT) !== 0
  }

  get isIgnored(): boolean {
    return (this.#number(2) & FLAG.IGNORED) !== 0
  }

  get isTruncated(): boolean {
    return (this.#number(2) & FLAG.TRUNCATED) !== 0
  }

  get hits(): readonly FoundHit[] {
    const { filters, words } = this.#packed
    const hits: FoundHit[] = []
    let at = this.#start + 4
    for (let left = this.#number(3); left > 0; left--) {
      const evidenceAt = at + 3
      const valuesAt = evidenceAt + (words[at + 2] as number) * EVIDENCE_WORDS + 1
      const end = valuesAt + (words[valuesAt - 1] as number)
      hits.push({
        filter: filters[words[at] as number]!,
        part: words[at + 1] as FilterPart,
        evidence: evidenceOf(words, evidenceAt, valuesAt - 1),
        values: words.slice(valuesAt, end) as (number | null)[],
      })
      at = end
    }
    return hits
  }

  #number(offset: number): number {
    return this.#packed.words[this.#start + offset] as number
  }
}

const EVIDENCE_WORDS = 6

function evidenceOf(words: readonly Word[], from: number, to: number): Evidence[] {
  const evidence: Evidence[] = []
  for (let at = from; at < to; at += EVIDENCE_WORDS) {
    const [location, name, view, start, end, phrase] = words.slice(at, at + EVIDENCE_WORDS)
    evidence.push({ location, name, view, start, end, phrase } as Evidence)
  }
  return evidence
}
