import type { Pattern, UnitSearch } from '../../rules/index.ts'
import { EXTRA_PLACE } from './places.ts'

/** Something that is looked for in texts: a pattern, or words without regard to case. */
export type Probe = PatternProbe | WordsProbe

interface Common {
  /** Position in its table. */
  readonly id: number
  /** Places that somebody looks for it at, as bits. */
  readonly places: number
  /** Only the part of the target after the first question mark is read. */
  readonly isOfQuery: boolean
  /**
   * Of each of these sets a text holds at least one word, or the probe is not in it. Lower-case ASCII. Empty: every text
   * has to be looked at.
   */
  readonly clauses: readonly (readonly string[])[]
  /** And of each of these sets at least one sign: they are many in ordinary texts, and cheap to see. */
  readonly signClauses: readonly string[]
}

export interface PatternProbe extends Common {
  readonly kind: 'pattern'
  readonly pattern: Pattern
  /** Null for patterns that look around. */
  readonly search: UnitSearch | null
}

export interface WordsProbe extends Common {
  readonly kind: 'words'
  /** In lower case, without outer blanks. One of them has to be in the text. */
  readonly words: readonly string[]
  /** One of them has to be the whole text, without outer blanks. */
  readonly isWhole: boolean
  /** The clause is exactly the words: where it is met in a text of ASCII, nothing is left to look at. */
  readonly isDecidedByClause: boolean
}

/** Characters whose presence in a text is noted, one bit each; signs that most texts hold say nothing. */
export const SIGNS = '!"#$%&\'()*+/:;<=>?@[\\]^`{|}~\n\r\t\0'
/** Most sets of signs of one probe. */
export const MAX_SIGN_CLAUSES = 3
/** Most sets of words of one probe. */
const MAX_CLAUSES = 3
/** Words are known by their first characters: deeper states would seldom be reached. */
const MAX_WORD = 8
const MAX_CLAUSE = 2_000
/** Words up to this length may be known by one of their signs. */
const MAX_SIGN_WORD = 2

/** Where a probe is looked for. */
export interface ProbeUse {
  readonly probe: number
  /** As bits. */
  readonly places: number
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** The probes of a set of filters; equal ones are looked for once, wherever they are asked for. */
export class ProbeTable {
  readonly #probes: Mutable<Probe>[] = []
  readonly #known = new Map<string, Mutable<Probe>>()

  get probes(): readonly Probe[] {
    return this.#probes
  }

  pattern(pattern: Pattern, places: number): ProbeUse[] {
    return this.#uses(`p${pattern.source}`, places, (common) => ({
      kind: 'pattern',
      ...{ ...common, pattern },
      ...clausesOf(pattern.words.clauses),
      search: pattern.unitSearch(),
    }))
  }

  /** Uses of words, one of which has to be in the text, or to be it. */
  words(operands: readonly string[], places: number, isWhole: boolean): ProbeUse[] {
    const words = [...new Set(operands.map((operand) => operand.trim().toLowerCase()))]
    return this.#uses(`w${isWhole}:${JSON.stringify(words)}`, places, (common) => {
      const clause = words.map(literalOf)
      const isKnown = clause.every((word) => word !== null) && clause.length <= MAX_CLAUSE
      const isDecidedByClause = isKnown && !isWhole && clause.every((word, i) => word === words[i])
      return {
        kind: 'words',
        ...{ ...common, words, isWhole, isDecidedByClause },
        clauses: isKnown ? [clause.filter((word) => word !== null)] : [],
        signClauses: [],
      }
    })
  }

  /** The query as it is sent is a part of the target: who asks for both asks twice. */
  #uses(
    key: string,
    places: number,
    make: (common: Pick<Common, 'id' | 'places' | 'isOfQuery'>) => Probe,
  ): ProbeUse[] {
    const query = places & EXTRA_PLACE.QUERY_RAW
    const others = places & ~EXTRA_PLACE.QUERY_RAW
    const uses: ProbeUse[] = []
    if (others !== 0) uses.push(this.#use(`l${key}`, others, false, make))
    if (query !== 0) uses.push(this.#use(`q${key}`, query, true, make))
    return uses
  }

  #use(
    key: string,
    places: number,
    isOfQuery: boolean,
    make: (common: Pick<Common, 'id' | 'places' | 'isOfQuery'>) => Probe,
  ): ProbeUse {
    let probe = this.#known.get(key)
    if (probe === undefined) {
      probe = make({ id: this.#probes.length, places, isOfQuery })
      this.#probes.push(probe)
      this.#known.set(key, probe)
    } else probe.places |= places
    return { probe: probe.id, places }
  }
}

/** The longest run of ASCII of a word, cut; null when it is too short to look for. */
function literalOf(word: string): string | null {
  const runs = word.match(/[\0-\x7f]{2,}/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest === '' ? null : longest.slice(0, MAX_WORD)
}

/** Sets whose words are short and all hold a sign go by their signs, unless there is nothing else to go by. */
function clausesOf(clauses: readonly (readonly string[])[]): Pick<Common, 'clauses' | 'signClauses'> {
  const signs = clauses.map(signsOf)
  const words = clauses.filter((_, i) => signs[i] === null)
  if (words.length > 0)
    return {
      clauses: words.slice(0, MAX_CLAUSES),
      signClauses: signs.filter((one) => one !== null).slice(0, MAX_SIGN_CLAUSES),
    }
  return {
    clauses: clauses.slice(0, 1),
    signClauses: signs.slice(1, 1 + MAX_SIGN_CLAUSES).filter((one) => one !== null),
  }
}

/** A sign of each word, the rarest; null when some word holds none, or all are long enough to be looked for themselves. */
function signsOf(words: readonly string[]): string | null {
  if (words.every((word) => word.length > 1)) return null
  let signs = ''
  for (const word of words) {
    const rarest = Array.from(word)
      .filter((sign) => SIGNS.includes(sign))
      .sort((a, b) => Number(/["':/=&]/.test(a)) - Number(/["':/=&]/.test(b)))[0]
    if (word.length > MAX_SIGN_WORD || rarest === undefined) return null
    signs += rarest
  }
  return signs
}
