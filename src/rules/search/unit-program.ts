import { RE2JS } from 're2js'

/** Instructions of a compiled pattern, in typed arrays; numbers are those of re2js. */
export interface UnitProgram {
  readonly start: number
  /** One of {@link OP}. */
  readonly ops: Uint8Array
  readonly outs: Int32Array
  /** The second branch, or the conditions of an empty step. */
  readonly args: Int32Array
  /** For each instruction that reads a character, by class whether it does; null for the others. */
  readonly reads: readonly (Uint8Array | null)[]
  /** Characters of one class lead to the same places; {@link classCount} itself stands for the end of the text. */
  readonly classCount: number
  /** Classes of the first 256 characters. */
  readonly lowClasses: Uint16Array
  /** Bounds of classes in rising order: `bounds[i]` is the first character of interval i + 1. */
  readonly bounds: Int32Array
  /** Class of each interval. */
  readonly intervalClasses: Uint16Array
  /** By class: bit 1 for a line feed, bit 2 for a character of words; 0 where no step asks. */
  readonly classKinds: Uint8Array
}

/** Kinds of instructions that matter to a search. */
export const OP = { ALT: 1, CAPTURE: 3, EMPTY: 4, FAIL: 5, MATCH: 6, NOP: 7, READ: 8 } as const
/** Conditions of empty steps. */
export const EMPTY = {
  LINE_START: 1,
  LINE_END: 2,
  TEXT_START: 4,
  TEXT_END: 8,
  WORD_EDGE: 16,
  NO_WORD_EDGE: 32,
} as const
/** Bits of {@link UnitProgram.classKinds}. */
const KIND = { LINE_FEED: 1, WORD: 2 } as const

const RE2JS_ALT_MATCH = 2
const RE2JS_READ_FIRST = 8
const RE2JS_READ_LAST = 11
/** Bit of the argument of a reading instruction: case does not count. */
const FOLD_CASE = 1
const WORD_RANGES = [48, 58, 65, 91, 95, 96, 97, 123]
const LAST_CHARACTER = 0x10ffff

/** The part of an instruction of re2js that is read here. */
interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  readonly runes: ArrayLike<number>
  matchRune(rune: number): boolean
}

/** The instructions of a compiled pattern; null where it has some that this search does not know. */
export function unitProgram(compiled: RE2JS): UnitProgram | null {
  const program = compiled.re2().prog as { readonly start: number; readonly inst: readonly Instruction[] }
  const { inst: instructions, start } = program
  const ops = new Uint8Array(instructions.length)
  const outs = new Int32Array(instructions.length)
  const args = new Int32Array(instructions.length)
  for (const [at, { op, out, arg }] of instructions.entries()) {
    if (op > RE2JS_READ_LAST) return null
    ops[at] = op >= RE2JS_READ_FIRST ? OP.READ : op === RE2JS_ALT_MATCH ? OP.ALT : op
    outs[at] = out
    args[at] = arg
  }
  return { start, ops, outs, args, ...classesOf(instructions, ops) }
}

type Classes = Omit<UnitProgram, 'start' | 'ops' | 'outs' | 'args'>

/** Groups the characters that no instruction tells apart. */
function classesOf(instructions: readonly Instruction[], ops: Uint8Array): Classes {
  const conditions = instructions.reduce((all, { op, arg }) => (op === OP.EMPTY ? all | arg : all), 0)
  const asksWords = (conditions & (EMPTY.WORD_EDGE | EMPTY.NO_WORD_EDGE)) !== 0
  const asksLines = (conditions & (EMPTY.LINE_START | EMPTY.LINE_END)) !== 0
  const bounds = boundsOf(instructions, ops, asksWords, asksLines)
  const { readers, readerOf } = distinctReaders(instructions, ops)
  const numbers = new Map<string, number>()
  const kinds: number[] = []
  const readByClass: boolean[][] = []
  const intervalClasses = new Uint16Array(bounds.length + 1)
  for (let interval = 0; interval <= bounds.length; interval++) {
    const character = interval === 0 ? 0 : bounds[interval - 1]!
    const reads = readers.map((reader) => reader.matchRune(character))
    const kind =
      (asksLines && character === 10 ? KIND.LINE_FEED : 0) | (asksWords && isWord(character) ? KIND.WORD : 0)
    const key = `${kind}${reads.map((read) => (read ? '1' : '0')).join('')}`
    let number = numbers.get(key)
    if (number === undefined) {
      number = numbers.size
      numbers.set(key, number)
      kinds.push(kind)
      readByClass.push(reads)
    }
    intervalClasses[interval] = number
  }
  const lowClasses = new Uint16Array(256)
  for (let code = 0; code < 256; code++) lowClasses[code] = intervalClasses[intervalOf(bounds, code)]!
  const reads = readers.map((_, at) => Uint8Array.from(readByClass, (all) => (all[at] ? 1 : 0)))
  return {
    reads: readerOf.map((reader) => (reader === null ? null : reads[reader]!)),
    classCount: numbers.size,
    lowClasses,
    bounds,
    intervalClasses,
    classKinds: Uint8Array.from([...kinds, 0]),
  }
}

/** Instructions that read different characters, and for each instruction which of them it is like; null: reads none. */
function distinctReaders(
  instructions: readonly Instruction[],
  ops: Uint8Array,
): { readers: Instruction[]; readerOf: (number | null)[] } {
  const readers: Instruction[] = []
  const numbers = new Map<string, number>()
  const readerOf = instructions.map((instruction, at) => {
    if (ops[at] !== OP.READ) return null
    const key = `${instruction.op} ${instruction.arg} ${instruction.runes}`
    const number = numbers.get(key) ?? readers.push(instruction) - 1
    numbers.set(key, number)
    return number
  })
  return { readers, readerOf }
}

function boundsOf(
  instructions: readonly Instruction[],
  ops: Uint8Array,
  asksWords: boolean,
  asksLines: boolean,
): Int32Array {
  const bounds = new Set<number>(asksWords ? WORD_RANGES : [])
  // `.` reads everything but a line feed, without a list of ranges.
  for (const bound of [10, 11]) bounds.add(bound)
  if (asksLines) bounds.add(10)
  for (const [at, { runes, arg }] of instructions.entries()) {
    if (ops[at] !== OP.READ) continue
    if (runes.length === 1)
      for (const form of (arg & FOLD_CASE) === 0 ? [runes[0]!] : formsOf(runes[0]!))
        bounds.add(form).add(form + 1)
    else
      for (let i = 0; i + 1 < runes.length; i += 2)
        bounds.add(runes[i]!).add(Math.min(runes[i + 1]! + 1, END))
  }
  bounds.delete(0)
  bounds.delete(END)
  return Int32Array.from(bounds).sort()
}

const END = LAST_CHARACTER + 1

/** A character with those that may be taken for it where case does not count. */
function formsOf(character: number): Iterable<number> {
  const text = String.fromCodePoint(character)
  if (character >= 0x80) return formsByTrial(text)
  const forms = [text.toLowerCase().charCodeAt(0), text.toUpperCase().charCodeAt(0)]
  // Two Latin letters have a third form: the Kelvin sign and the long s.
  if (forms[0] === 107) forms.push(0x212a)
  if (forms[0] === 115) forms.push(0x17f)
  return forms
}

/** Beyond ASCII the engine itself is asked; few patterns hold such characters. */
function formsByTrial(text: string): number[] {
  const folded = RE2JS.compile(`(?i)${RE2JS.quote(text)}`)
  const found = [text.codePointAt(0)!]
  for (let code = 0; code < 0x3000; code++) if (folded.matches(String.fromCharCode(code))) found.push(code)
  return found
}

function isWord(character: number): boolean {
  return (
    (character >= 48 && character <= 57) ||
    (character >= 65 && character <= 90) ||
    character === 95 ||
    (character >= 97 && character <= 122)
  )
}

/** Which interval between the bounds a character is in. */
function intervalOf(bounds: Int32Array, character: number): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle]! <= character) low = middle + 1
    else high = middle
  }
  return low
}

/** Stands for the kind of a character at either end of the text, where there is none. */
export const TEXT_EDGE = 4

/** Which conditions of empty steps hold between two characters, given by their kinds. */
export function flagsBetween(before: number, after: number): number {
  let flags = (before & KIND.WORD) !== (after & KIND.WORD) ? EMPTY.WORD_EDGE : EMPTY.NO_WORD_EDGE
  if (before === TEXT_EDGE) flags |= EMPTY.TEXT_START | EMPTY.LINE_START
  else if ((before & KIND.LINE_FEED) !== 0) flags |= EMPTY.LINE_START
  if (after === TEXT_EDGE) flags |= EMPTY.TEXT_END | EMPTY.LINE_END
  else if ((after & KIND.LINE_FEED) !== 0) flags |= EMPTY.LINE_END
  return flags
}

/** Class of the character at a place of a text that ends at `to`; of two units where they are one. */
export function classAt(program: UnitProgram, units: Uint16Array, at: number, to: number): number {
  const unit = units[at]!
  if (unit < 256) return program.lowClasses[unit]!
  let character = unit
  if ((unit & 0xfc00) === 0xd800 && at + 1 < to && (units[at + 1]! & 0xfc00) === 0xdc00)
    character = ((unit & 0x3ff) << 10) + (units[at + 1]! & 0x3ff) + 0x10000
  return program.intervalClasses[intervalOf(program.bounds, character)]!
}

/** Kind of the character that ends with a unit: only characters of ASCII are of a kind. */
export function kindBefore({ classKinds, lowClasses }: UnitProgram, unit: number): number {
  return unit < 256 ? classKinds[lowClasses[unit]!]! : 0
}
