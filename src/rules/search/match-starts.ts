import { EMPTY, OP, type UnitProgram } from './unit-program.ts'

/** Kinds of characters that starts of matches are distinguished by, and of the end of the text. */
export const START_CLASSES = 64
const SIGNS = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const DIGIT = SIGNS.length
const FIRST_LETTER = DIGIT + 1
const BREAK = 60
const OTHER = 61
/** Class of the end of a text. */
export const END_CLASS = 62

/** The class of each ASCII code unit; a letter without case, digits and line breaks are one class each. */
const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return FIRST_LETTER + (code | 32) - 97
  if (/\d/.test(character)) return DIGIT
  if (/[\n\r]/.test(character)) return BREAK
  const sign = SIGNS.indexOf(character)
  return sign < 0 ? OTHER : sign
})

/** Where more than this share of places may begin a match, nothing is gained by looking for them. */
const MAX_SHARE = 0.25
/** How often characters of a class are met, roughly. */
const SHARES = Float64Array.from({ length: START_CLASSES }, (_, one) => {
  if (one === 0) return 0.12
  if (one === END_CLASS || one === OTHER || one === BREAK) return 0.005
  return one === DIGIT || (one >= FIRST_LETTER && one < BREAK) ? 0.025 : 0.007
})
/** Every condition of an empty step, and those that may hold behind the start of the text. */
const ALL = ~0
const BEHIND_START = ~EMPTY.TEXT_START

/** The class of a code unit. */
export function startClassOf(unit: number): number {
  return unit < 128 ? ASCII_CLASSES[unit]! : OTHER
}

/**
 * What two characters a match may begin with where it does not begin at the start of the text. One-sided: other
 * characters begin no match, these may.
 */
export interface MatchStarts {
  /** Classes of first characters, rising. */
  readonly firsts: Uint8Array
  /** By ASCII code unit 1 for those that a match may begin with; the last stands for all others. */
  readonly begins: Uint8Array
  /** By class of the first character two words of bits: the classes of the second one. */
  readonly seconds: Int32Array
}

/** Where matches may begin behind the start of a text. Null where they may be empty or begin with nearly anything. */
export function matchStarts(program: UnitProgram): MatchStarts | null {
  return startsOf(program, BEHIND_START)
}

/** What a match may begin with at the start of a text; null as above. */
export function textStarts(program: UnitProgram): MatchStarts | null {
  return startsOf(program, ALL)
}

/** Whether a match may begin at a place of a run. */
export function mayStart({ seconds }: MatchStarts, units: Uint16Array, at: number, to: number): boolean {
  if (at >= to) return false
  const first = startClassOf(units[at]!)
  const second = at + 1 < to ? startClassOf(units[at + 1]!) : END_CLASS
  return ((seconds[first * 2 + (second >> 5)]! >> (second & 31)) & 1) !== 0
}

/** Whether a match may consist of some characters of ASCII alone, given by their code units. One-sided: in doubt it may. */
export function mayConsistOf(program: UnitProgram, characters: readonly number[]): boolean {
  const { lowClasses, ops, outs, args, reads, start } = program
  const classes = [...new Set(characters.map((unit) => lowClasses[unit]!))]
  const seen = new Set([start])
  for (const at of seen) {
    const op = ops[at]
    if (op === OP.MATCH) return true
    if (op === OP.FAIL || (op === OP.READ && !classes.some((one) => reads[at]![one] === 1))) continue
    seen.add(outs[at]!)
    if (op === OP.ALT) seen.add(args[at]!)
  }
  return false
}

function startsOf(program: UnitProgram, conditions: number): MatchStarts | null {
  const reach = new Reach(program, conditions)
  const begun = reach.from(program.start)
  if (begun === null) return null
  const seconds = new Int32Array(START_CLASSES * 2)
  for (const at of begun) {
    const behind = behindOf(reach.from(program.outs[at]!), reach)
    for (const first of reach.classes(at)) {
      const [low, high] = first === OTHER ? [-1, -1] : behind
      seconds[first * 2]! |= low
      seconds[first * 2 + 1]! |= high
    }
  }
  const firsts: number[] = []
  let share = 0
  for (let pair = 0; pair < START_CLASSES * START_CLASSES; pair++) {
    if (((seconds[pair >> 5]! >> (pair & 31)) & 1) === 0) continue
    const first = Math.floor(pair / START_CLASSES)
    if (firsts.at(-1) !== first) firsts.push(first)
    share += SHARES[first]! * SHARES[pair % START_CLASSES]!
  }
  if (share > MAX_SHARE) return null
  const begins = Uint8Array.from({ length: 129 }, (_, unit) => (firsts.includes(startClassOf(unit)) ? 1 : 0))
  return { firsts: Uint8Array.from(firsts), begins, seconds }
}

/** The next place of a run from `at` on at which a match may begin; -1 for none. The run begins before `at`. */
export function nextStart(starts: MatchStarts, units: Uint16Array, at: number, to: number): number {
  const { begins, seconds } = starts
  for (let i = at; i < to; i++) {
    const unit = units[i]!
    if (begins[unit < 128 ? unit : 128] === 0) continue
    const second = i + 1 < to ? startClassOf(units[i + 1]!) : END_CLASS
    const bits = seconds[startClassOf(unit) * 2 + (second >> 5)]!
    if (((bits >> (second & 31)) & 1) !== 0 && !isInside(units, i)) return i
  }
  return -1
}

/** Whether a place is inside a character of two units. */
export function isInside(units: Uint16Array, at: number): boolean {
  return (units[at]! & 0xfc00) === 0xdc00 && (units[at - 1]! & 0xfc00) === 0xd800
}

/** Classes of the character behind the first one, as two words of bits; all of them where the match may end there. */
function behindOf(readers: readonly number[] | null, reach: Reach): readonly [number, number] {
  if (readers === null) return [-1, -1]
  let low = 0
  let high = 0
  for (const at of readers)
    for (const one of reach.classes(at))
      if (one < 32) low |= 1 << one
      else high |= 1 << (one - 32)
  return [low, high]
}

/** Steps of a program that need no state. */
class Reach {
  readonly #program: UnitProgram
  /** Conditions that may hold. */
  readonly #conditions: number
  readonly #classes = new Map<number, readonly number[]>()
  /** Class of the program of each ASCII unit, and those of characters beyond. */
  readonly #beyond: ReadonlySet<number>

  constructor(program: UnitProgram, conditions: number) {
    this.#program = program
    this.#conditions = conditions
    const { bounds, intervalClasses } = program
    this.#beyond = new Set(
      [...intervalClasses].filter((_, interval) => interval === bounds.length || bounds[interval]! > 128),
    )
  }

  /** Instructions that read the next character from here on; null when a match may end here. */
  from(start: number): number[] | null {
    const { ops, outs, args } = this.#program
    const seen = new Set([start])
    const readers: number[] = []
    // A set yields what is added to it while it is walked.
    for (const at of seen) {
      const op = ops[at]
      if (op === OP.MATCH) return null
      if (op === OP.READ) readers.push(at)
      else if (op !== OP.FAIL && (op !== OP.EMPTY || (args[at]! & ~this.#conditions) === 0))
        seen.add(outs[at]!)
      if (op === OP.ALT) seen.add(args[at]!)
    }
    return readers
  }

  /** Classes of the characters that an instruction reads. */
  classes(at: number): readonly number[] {
    let known = this.#classes.get(at)
    if (known === undefined) {
      const { lowClasses } = this.#program
      const reads = this.#program.reads[at]!
      const found = new Set<number>()
      for (let unit = 0; unit < 128; unit++)
        if (reads[lowClasses[unit]!] === 1) found.add(ASCII_CLASSES[unit]!)
      for (const one of this.#beyond) if (reads[one] === 1) found.add(OTHER)
      known = [...found]
      this.#classes.set(at, known)
    }
    return known
  }
}
