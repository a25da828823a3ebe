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
  /** And of each of these sets at least one sign: they are many in ordinary texts, and cheap to see. */
  readonly signClauses: readonly (readonly string[])[]
}

/** Signs of ASCII. */
export const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
/** Most sets of signs of one probe. */
export const MAX_SIGN_CLAUSES = 2

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
      ...clausesOf(pattern.words.clauses),
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
        signClauses: [],
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

/** Sets of single signs apart, unless there is nothing else to go by. */
function clausesOf(clauses: readonly (readonly string[])[]): Pick<Common, 'clauses' | 'signClauses'> {
  const isSigns = (words: readonly string[]): boolean =>
    words.every((word) => word.length === 1 && SIGNS.includes(word))
  const words = clauses.filter((clause) => !isSigns(clause))
  const signs = clauses.filter(isSigns)
  return words.length > 0
    ? { clauses: words, signClauses: signs.slice(0, MAX_SIGN_CLAUSES) }
    : { clauses: signs.slice(0, 1), signClauses: signs.slice(1, 1 + MAX_SIGN_CLAUSES) }
}
