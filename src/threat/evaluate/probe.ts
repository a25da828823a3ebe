import type { Pattern, UnitSearch } from '../../rules/index.ts'

/** Something that is looked for in texts: a pattern, or words without regard to case. */
export type Probe = PatternProbe | WordsProbe

interface Common {
  /** Position in its table. */
  readonly id: number
  /** Places it is looked for at, as bits. */
  readonly places: number
  /**
   * Of each of these sets a text holds at least one word, or the probe is not in it. Lower-case ASCII, two characters
   * or more. Empty: every text has to be looked at.
   */
  readonly clauses: readonly (readonly string[])[]
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

/** Words are known by their first characters: deeper states would seldom be reached. */
const MAX_WORD = 16
const MAX_CLAUSE = 2_000

/** The probes of a set of filters; equal ones are looked for once. */
export class ProbeTable {
  readonly probes: Probe[] = []
  readonly #known = new Map<string, number>()

  /** The number of a probe for a pattern. */
  pattern(pattern: Pattern, places: number): number {
    return this.#add(`p${places}:${pattern.source}`, (id) => ({
      kind: 'pattern',
      ...{ id, places, pattern },
      clauses: pattern.words.clauses,
      search: pattern.unitSearch(),
    }))
  }

  /** The number of a probe for words, one of which has to be in the text, or to be it. */
  words(operands: readonly string[], places: number, isWhole: boolean): number {
    const words = [...new Set(operands.map((operand) => operand.trim().toLowerCase()))]
    return this.#add(`w${places}:${isWhole}:${JSON.stringify(words)}`, (id) => {
      const clause = words.map(literalOf)
      const isKnown = clause.every((word) => word !== null) && clause.length <= MAX_CLAUSE
      const isDecidedByClause = isKnown && !isWhole && clause.every((word, i) => word === words[i])
      return {
        kind: 'words',
        ...{ id, places, words, isWhole, isDecidedByClause },
        clauses: isKnown ? [clause.filter((word) => word !== null)] : [],
      }
    })
  }

  #add(key: string, make: (id: number) => Probe): number {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const id = this.probes.length
    this.probes.push(make(id))
    this.#known.set(key, id)
    return id
  }
}

/** The longest run of ASCII of a word, cut; null when it is too short to look for. */
function literalOf(word: string): string | null {
  const runs = word.match(/[\0-\x7f]{2,}/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest === '' ? null : longest.slice(0, MAX_WORD)
}
