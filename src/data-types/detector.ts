import type { DataTypeDefinition, Location, Prefilter, VerifyContext } from './data-type.ts'
import { REPORT_FROM } from './data-type.ts'
import type { KeyFacts } from './key-words.ts'
import { KeyVocabulary } from './key-words.ts'
import { ANY, AT, charClasses, LINE, PUNCTUATION, SPACE } from './value-signature.ts'

/** A type found in a value. */
export interface DetectedType {
  readonly name: string
  /** 60..100 */
  readonly confidence: number
}

/** Where a value stands; `key` is the last name of its path, `parentKey` the one before ('' when there is none). */
export interface ValueContext {
  readonly key: string
  readonly parentKey: string
  readonly location: Location
}

const NOTHING: readonly DetectedType[] = Object.freeze([])
const SCAN_LIMIT = 4096
const MAX_SIGNATURES = 8192
const TEXT_MIN = 16
const TOKEN_MIN = 6
const TOKEN_MAX = 2048
/** A token found inside a longer text is a little less certain than a value on its own. */
const IN_TEXT_PENALTY = 5

interface Start {
  readonly text: string
  readonly type: DataTypeDefinition
}

/**
 * Finds the data types of single values. Most values are dismissed by one pass over their characters and three map
 * look-ups: the signature (character classes and length) selects the types worth asking, the first character those
 * with a literal beginning, the key those that only its name can tell.
 */
export class Detector {
  readonly #search = new Search()
  readonly #vocabulary: KeyVocabulary
  readonly #startsByPair: ReadonlyMap<number, readonly Start[]>
  readonly #shaped: readonly DataTypeDefinition[]
  readonly #bySignature = new Map<number, readonly DataTypeDefinition[]>()

  constructor(definitions: readonly DataTypeDefinition[]) {
    this.#vocabulary = new KeyVocabulary(definitions)
    this.#startsByPair = indexStarts(definitions.filter((type) => !type.needsKey))
    this.#shaped = definitions.filter((type) => !type.needsKey && type.mayMatch.starts === undefined)
  }

  /** Types of one value with a confidence of at least 60, the surest first. */
  detect(value: string, context: ValueContext): readonly DetectedType[] {
    const length = value.length
    if (length === 0) return NOTHING
    const mask = charClasses(value, Math.min(length, SCAN_LIMIT))
    const facts = this.#vocabulary.factsOf(context.key)
    const named = this.#namedBy(facts, context)
    const search = this.#search
    search.begin(context, facts, named)
    const starts = this.#startsOf(value)
    if (starts !== undefined) search.tryStarts(value, starts)
    if (length <= SCAN_LIMIT) search.tryShapes(value, this.#typesOfSignature(mask, length))
    if (named.length > 0) search.tryNamed(value, mask)
    if (length >= TEXT_MIN && (mask & (SPACE | LINE | PUNCTUATION)) !== 0)
      this.#searchText(value, mask, search)
    return search.results()
  }

  /** The key's own types; for keys that say nothing (`value`, `number`) the parent's as well. */
  #namedBy(facts: KeyFacts, context: ValueContext): readonly DataTypeDefinition[] {
    if (!facts.generic || context.parentKey === '') return facts.named
    const parent = this.#vocabulary.factsOf(context.parentKey).named
    return facts.named.length === 0 ? parent : [...facts.named, ...parent]
  }

  #startsOf(value: string): readonly Start[] | undefined {
    return this.#startsByPair.get(value.charCodeAt(0) * 128 + value.charCodeAt(1))
  }

  #typesOfSignature(mask: number, length: number): readonly DataTypeDefinition[] {
    const bucket = Math.min(length, 255)
    const signature = mask * 256 + bucket
    const known = this.#bySignature.get(signature)
    if (known !== undefined) return known
    const types = this.#shaped.filter((type) => mayHold(type.mayMatch, mask, length, bucket === 255))
    if (this.#bySignature.size >= MAX_SIGNATURES) this.#bySignature.clear()
    this.#bySignature.set(signature, types)
    return types
  }

  /** Splits a longer text at blanks and punctuation and asks the types that may occur in a text about each token. */
  #searchText(value: string, mask: number, search: Search): void {
    const end = Math.min(value.length, SCAN_LIMIT)
    const hasAt = (mask & AT) !== 0
    let start = 0
    for (let i = 0; i <= end; i++) {
      if (i < end && !isBorder(value.charCodeAt(i))) continue
      const size = i - start
      if (size >= TOKEN_MIN && size <= TOKEN_MAX && size < value.length && (hasAt || size >= TEXT_MIN)) {
        this.#tryToken(value.slice(start, i), search)
      }
      start = i + 1
    }
  }

  #tryToken(token: string, search: Search): void {
    const starts = this.#startsOf(token)
    if (starts !== undefined) search.tryStarts(token, starts, true)
    const types = this.#typesOfSignature(charClasses(token), token.length)
    if (types.length > 0) search.tryShapes(token, types, true)
  }
}

type Told = { -readonly [Key in keyof VerifyContext]: VerifyContext[Key] }

const NOBODY: VerifyContext = {
  key: '',
  parentKey: '',
  location: 'REQUEST_PAYLOAD',
  named: false,
  misleading: false,
}

/** One value's candidates and what they gave. It serves all values, one after the other: making one for each costs more than most searches. */
class Search {
  #named: readonly DataTypeDefinition[] = []
  /** The first type found, and all as soon as there are two. */
  #first: DataTypeDefinition | null = null
  #confidence = 0
  #found: Map<DataTypeDefinition, number> | null = null
  /** What is passed to types whose name the key is, and to the others. */
  readonly #whenNamed: Told = { ...NOBODY, named: true }
  readonly #otherwise: Told = { ...NOBODY }
  /** Results with only one type, by type and confidence: they are the same few over and over. */
  readonly #alone = new Map<DataTypeDefinition, Map<number, readonly DetectedType[]>>()

  begin(context: ValueContext, { misleading }: KeyFacts, named: readonly DataTypeDefinition[]): void {
    this.#named = named
    this.#first = null
    this.#found = null
    tell(this.#whenNamed, context, misleading)
    tell(this.#otherwise, context, misleading)
  }

  tryStarts(value: string, starts: readonly Start[], inText = false): void {
    for (const { text, type } of starts) {
      if (inText && !type.inText) continue
      if (value.startsWith(text) && fitsLength(type.mayMatch, value.length)) this.#ask(type, value, inText)
    }
  }

  tryShapes(value: string, types: readonly DataTypeDefinition[], inText = false): void {
    for (const type of types) {
      if (inText && !type.inText) continue
      if (fitsLength(type.mayMatch, value.length)) this.#ask(type, value, inText)
    }
  }

  tryNamed(value: string, mask: number): void {
    for (const type of this.#named) {
      const filter = type.whenNamed ?? (type.needsKey ? type.mayMatch : undefined)
      if (filter === undefined || !fitsLength(filter, value.length)) continue
      // The narrow form was asked about already.
      if (!type.needsKey && fitsLength(type.mayMatch, value.length) && fitsMask(type.mayMatch, mask)) continue
      const { starts } = filter
      const fits =
        starts === undefined ? fitsMask(filter, mask) : starts.some((text) => value.startsWith(text))
      if (fits) this.#ask(type, value, false)
    }
  }

  results(): readonly DetectedType[] {
    if (this.#first === null) return NOTHING
    if (this.#found === null) return this.#aloneOf(this.#first, this.#confidence)
    const all = [...this.#found]
    const sure = all.filter(([type]) => !type.fallback)
    return (sure.length > 0 ? sure : all)
      .map(([type, confidence]) => ({ name: type.name, confidence }))
      .sort((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : 1))
  }

  #aloneOf(type: DataTypeDefinition, confidence: number): readonly DetectedType[] {
    let byConfidence = this.#alone.get(type)
    if (byConfidence === undefined) {
      byConfidence = new Map()
      this.#alone.set(type, byConfidence)
    }
    let found = byConfidence.get(confidence)
    if (found === undefined) {
      found = Object.freeze([Object.freeze({ name: type.name, confidence })])
      byConfidence.set(confidence, found)
    }
    return found
  }

  #ask(type: DataTypeDefinition, value: string, inText: boolean): void {
    const context = this.#named.includes(type) ? this.#whenNamed : this.#otherwise
    const confidence = Math.min(100, type.verify(value, context)) - (inText ? IN_TEXT_PENALTY : 0)
    if (confidence < REPORT_FROM) return
    if (this.#first === null) {
      this.#first = type
      this.#confidence = confidence
    } else if (this.#found === null && this.#first === type) {
      this.#confidence = Math.max(this.#confidence, confidence)
    } else {
      this.#found ??= new Map([[this.#first, this.#confidence]])
      const before = this.#found.get(type)
      if (before === undefined || before < confidence) this.#found.set(type, confidence)
    }
  }
}

function tell(told: Told, { key, parentKey, location }: ValueContext, misleading: boolean): void {
  told.key = key
  told.parentKey = parentKey
  told.location = location
  told.misleading = misleading
}

/** Groups the literal beginnings by their first two characters (each has at least two). */
function indexStarts(definitions: readonly DataTypeDefinition[]): ReadonlyMap<number, readonly Start[]> {
  const table = new Map<number, Start[]>()
  for (const type of definitions) {
    for (const text of type.mayMatch.starts ?? []) {
      const pair = text.charCodeAt(0) * 128 + text.charCodeAt(1)
      const list = table.get(pair)
      if (list === undefined) table.set(pair, [{ text, type }])
      else list.push({ text, type })
    }
  }
  return table
}

function fitsLength(filter: Prefilter, length: number): boolean {
  const [min, max] = filter.length
  return length >= min && length <= max
}

function fitsMask(filter: Prefilter, mask: number): boolean {
  const { chars = ANY, requires = 0 } = filter
  return (mask & ~chars) === 0 && (mask & requires) === requires
}

function mayHold(filter: Prefilter, mask: number, length: number, atLeast: boolean): boolean {
  return fitsMask(filter, mask) && (atLeast ? filter.length[1] >= length : fitsLength(filter, length))
}

/** 1 for characters that end a token: blanks, quotes, brackets, separators; not `. - _ @ : / + = # ~ % $ \\ ^`. */
const IS_BORDER = new Uint8Array(128)
for (let code = 0; code <= 32; code++) IS_BORDER[code] = 1
for (const border of `!"'()*,;<>?&[]\`{|}`) IS_BORDER[border.charCodeAt(0)] = 1

function isBorder(code: number): boolean {
  return code < 128 && IS_BORDER[code] === 1
}
