/** Tests one UTF-16 code unit. */
export type UnitTest = (unit: number) => boolean

/** A pattern as a tree. */
export type Syntax =
  | { readonly kind: 'unit'; readonly test: UnitTest; readonly source: string }
  | { readonly kind: 'sequence'; readonly items: readonly Syntax[] }
  | { readonly kind: 'choice'; readonly options: readonly Syntax[] }
  | {
      readonly kind: 'repeat'
      readonly item: Syntax
      readonly least: number
      /** Infinity: no upper bound. */
      readonly most: number
      readonly isLazy: boolean
    }
  | { readonly kind: 'group'; readonly item: Syntax; readonly index: number }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'look'; readonly item: Syntax; readonly isBehind: boolean; readonly isNegative: boolean }

/** Places between characters. */
export type Edge = 'text start' | 'text end' | 'line start' | 'line end' | 'word edge' | 'no word edge'

interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly multiline: boolean
}

const NO_FLAGS: Flags = { ignoreCase: false, dotAll: false, multiline: false }
const MAX_DEPTH = 50
const MAX_REPEAT = 1_000

/** Why a pattern cannot be read, as a sentence. */
export class PatternFault extends Error {}

/**
 * Reads a regular expression in the syntax that Java and JavaScript share. Back-references, possessive quantifiers and
 * atomic groups are refused: they cannot be matched in linear time.
 *
 * @throws PatternFault
 */
export function readPattern(source: string): { readonly syntax: Syntax; readonly groups: number } {
  const reader = new PatternReader(source)
  return { syntax: reader.whole(), groups: reader.groups }
}

class PatternReader {
  readonly #source: string
  #at = 0
  groups = 0

  constructor(source: string) {
    this.#source = source
  }

  whole(): Syntax {
    const syntax = this.#choice(NO_FLAGS, 0)
    if (this.#at < this.#source.length) throw new PatternFault('a closing parenthesis is too many')
    return syntax
  }

  #choice(flags: Flags, depth: number): Syntax {
    if (depth > MAX_DEPTH) throw new PatternFault(`groups nest deeper than ${MAX_DEPTH} levels`)
    const options: Syntax[] = []
    let current = flags
    do {
      const items: Syntax[] = []
      while (this.#at < this.#source.length && !this.#isNext('|') && !this.#isNext(')')) {
        const changed = this.#flagChange(current)
        if (changed === null) items.push(this.#repeated(this.#atom(current, depth)))
        else current = changed
      }
      options.push({ kind: 'sequence', items })
    } while (this.#take('|'))
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  /** `(?i)`: holds to the end of the group. */
  #flagChange(flags: Flags): Flags | null {
    const match = this.#match(/\(\?([a-zA-Z]*)(-[a-zA-Z]+)?\)/y)
    return match === null ? null : withFlags(flags, match[1] ?? '', match[2] ?? '')
  }

  #atom(flags: Flags, depth: number): Syntax {
    const start = this.#at
    const first = this.#source[this.#at++]!
    switch (first) {
      case '(':
        return this.#group(flags, depth)
      case '[':
        return this.#set(start, flags)
      case '^':
        return { kind: 'edge', edge: flags.multiline ? 'line start' : 'text start' }
      case '$':
        return { kind: 'edge', edge: flags.multiline ? 'line end' : 'text end' }
      case '\\':
        return this.#escape(start, flags)
      case '*':
      case '+':
      case '?':
        throw new PatternFault(`${first} has nothing to repeat`)
      case '.':
        return unit('.', flags)
      default:
        return unit(/[\^$\\.*+?()[\]{}|/]/.test(first) ? `\\${first}` : first, flags)
    }
  }

  #group(flags: Flags, depth: number): Syntax {
    let wrap = (item: Syntax): Syntax => item
    let inner = flags
    const look = this.#match(/\?(<?)([=!])/y)
    const named = look === null ? this.#match(/\?P?<[A-Za-z]\w*>/y) : null
    const flagged = look === null && named === null ? this.#match(/\?([a-zA-Z]*)(-[a-zA-Z]+)?:/y) : null
    if (look !== null) {
      const [isBehind, isNegative] = [look[1] === '<', look[2] === '!']
      wrap = (item) => ({ kind: 'look', item, isBehind, isNegative })
    } else if (flagged !== null) inner = withFlags(flags, flagged[1] ?? '', flagged[2] ?? '')
    else {
      if (named === null && this.#isNext('?')) throw new PatternFault('a group of this kind is not supported')
      const index = ++this.groups
      wrap = (item) => ({ kind: 'group', item, index })
    }
    const item = this.#choice(inner, depth + 1)
    if (!this.#take(')')) throw new PatternFault('a closing parenthesis is missing')
    return wrap(item)
  }

  /** A bracketed set; its text means the same to the built-in engine, which tests single characters only. */
  #set(start: number, flags: Flags): Syntax {
    this.#take('^')
    this.#take(']')
    while (!this.#isNext(']')) {
      if (this.#at >= this.#source.length) throw new PatternFault('a closing bracket is missing')
      if (this.#isNext('[') || this.#isNext('&&'))
        throw new PatternFault('sets inside sets are not supported')
      this.#at += this.#isNext('\\') ? 2 : 1
    }
    this.#at++
    const text = this.#source.slice(start, this.#at).replace(/^(\[\^?)\]/, '$1\\]')
    return unit(text, flags)
  }

  #escape(start: number, flags: Flags): Syntax {
    const letter = this.#source[this.#at++]
    const edge = EDGES.get(letter ?? '')
    if (edge !== undefined) return { kind: 'edge', edge }
    if (letter === undefined || /[1-9kGQpPXRhHVN]/.test(letter))
      throw new PatternFault(`\\${letter ?? ''} is not supported beside look-around`)
    if (letter === 'x') this.#match(/[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,4}\}/y)
    if (letter === 'u') this.#match(/[0-9a-fA-F]{4}/y)
    return unit(this.#source.slice(start, this.#at), flags)
  }

  #repeated(item: Syntax): Syntax {
    const match = this.#match(/([*+?]|\{(\d{1,4})(,?)(\d{0,4})\})([?+]?)/y)
    if (match === null) return item
    if (match[5] === '+') throw new PatternFault('possessive quantifiers are not supported')
    const [least, most] = boundsOf(match)
    if (least > MAX_REPEAT || (most !== Number.POSITIVE_INFINITY && most > MAX_REPEAT) || most < least)
      throw new PatternFault(`a repetition counts to ${MAX_REPEAT} at most`)
    return this.#repeated({ kind: 'repeat', item, least, most, isLazy: match[5] === '?' })
  }

  #isNext(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#isNext(text)) return false
    this.#at += text.length
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source)
    if (match !== null) this.#at = pattern.lastIndex
    return match
  }
}

const EDGES: ReadonlyMap<string, Edge> = new Map([
  ['b', 'word edge'],
  ['B', 'no word edge'],
  ['A', 'text start'],
  ['z', 'text end'],
  ['Z', 'text end'],
])

function boundsOf(match: RegExpExecArray): [least: number, most: number] {
  if (match[1] === '*') return [0, Number.POSITIVE_INFINITY]
  if (match[1] === '+') return [1, Number.POSITIVE_INFINITY]
  if (match[1] === '?') return [0, 1]
  const least = Number(match[2])
  if (match[3] === '') return [least, least]
  return [least, match[4] === '' ? Number.POSITIVE_INFINITY : Number(match[4])]
}

function withFlags(flags: Flags, on: string, off: string): Flags {
  if (/[^imsuU]/.test(on + off.slice(1))) throw new PatternFault(`the flags ${on}${off} are not supported`)
  const has = (letter: string, before: boolean): boolean =>
    on.includes(letter) || (before && !off.includes(letter))
  return {
    ignoreCase: has('i', flags.ignoreCase),
    dotAll: has('s', flags.dotAll),
    multiline: has('m', flags.multiline),
  }
}

const TABLE_SIZE = 256
/** Character classes of patterns read before: the same few are in most patterns. */
const units = new Map<string, Syntax>()
/** Patterns come from users, too: what is kept of them is bounded. */
const MAX_UNITS = 1_000

function unit(written: string, flags: Flags): Syntax {
  const key = `${flags.ignoreCase ? 'i' : ''}${flags.dotAll ? 's' : ''} ${written}`
  let known = units.get(key)
  if (known === undefined) {
    known = newUnit(written, flags)
    if (units.size >= MAX_UNITS) units.clear()
    units.set(key, known)
  }
  return known
}

/** One character class. The built-in engine sees one character at a time, where it cannot run away (CWE-1333). */
function newUnit(written: string, { ignoreCase, dotAll }: Flags): Syntax {
  const source = written.replace(
    /\\x\{([0-9a-fA-F]{1,4})\}/g,
    (_, code: string) => `\\u${code.padStart(4, '0')}`,
  )
  let single: RegExp
  try {
    single = new RegExp(`^(?:${source})$`, (ignoreCase ? 'i' : '') + (dotAll ? 's' : ''))
  } catch {
    throw new PatternFault(`${source} cannot be read`)
  }
  const table = Uint8Array.from({ length: TABLE_SIZE }, (_, code) =>
    single.test(String.fromCharCode(code)) ? 1 : 0,
  )
  const test: UnitTest = (code) =>
    code < TABLE_SIZE ? table[code] === 1 : single.test(String.fromCharCode(code))
  return { kind: 'unit', test, source }
}
