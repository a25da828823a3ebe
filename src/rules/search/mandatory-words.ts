import { PatternFault, readPattern, type Syntax } from '../look-around/syntax.ts'

/** What every text that a pattern matches must hold. */
export interface MandatoryWords {
  /**
   * At most {@link MAX_CLAUSES} sets of words: of each set at least one word is in the text, whatever its case. Words are
   * lower-case ASCII of 2 to {@link MAX_WORD} characters, or single signs; a blank stands for any white space. Empty: nothing is known, the pattern may match anything.
   */
  readonly clauses: readonly (readonly string[])[]
  /**
   * Characters that the pattern asks for on their own; null when it could not be read. A percent sign or backslash
   * counts where it is not a mere alternative to other characters, a quotation mark or ampersand where every match holds it.
   */
  readonly signs: ReadonlySet<string> | null
}

/** Most sets of one pattern. */
const MAX_CLAUSES = 6
/** Longest word. */
const MAX_WORD = 8
/** Longest text that is put together while words are looked for. */
const MAX_TEXT = 64
const MAX_ALTERNATIVES = 64
/** Sets that are likelier than this are in most messages: they count only where there is nothing else. */
const MIN_BITS = 2
/** Beside a set as seldom as this, only others like it are worth looking for. */
const ENOUGH_BITS = 16
/** Signs that are cheap to see, and in fewer texts than those of numbers and names. */
const FEW = /^[^-.,_a-z0-9]$/
const MAX_SET = 12
const MAX_SIGN_SET = 3
const NOTHING: MandatoryWords = { clauses: [], signs: null }
/** Escapes whose meaning is the same wherever patterns are read; and classes, which hold no words. */
const SAFE_ESCAPES =
  /\\(?:[^a-zA-Z0-9]|[dDwWsSbBAzZnrtf]|x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,4}\})|u[0-9a-fA-F]{4})|[^\\]/gs

/**
 * Words that a pattern cannot match without, from its syntax tree. The answer is one-sided: where a construct is not
 * certain to be understood as the engine understands it, nothing is claimed.
 */
export function mandatoryWords(source: string): MandatoryWords {
  if (source.replace(SAFE_ESCAPES, '') !== '') return NOTHING
  let syntax: Syntax
  try {
    syntax = readPattern(source).syntax
  } catch (error) {
    if (error instanceof PatternFault) return NOTHING
    throw error
  }
  const signs = new Set<string>()
  const clauses = clausesOf(wordsOf(syntax, signs))
  const isHeld = (test: RegExp): boolean => clauses.some((words) => words.every((word) => test.test(word)))
  if (!isHeld(/["']/) || !isHeld(/[:{}[\],]/)) signs.delete('"')
  if (!isHeld(/&/)) signs.delete('&')
  return { clauses: bestOf(clauses), signs }
}

/** What is known of a part: all texts that it matches, or else sets of words that each such text holds. */
interface Known {
  readonly exact: readonly string[] | null
  readonly clauses: readonly (readonly string[])[]
  /** Of a part that may repeat: each text that it matches begins and ends with one of these. */
  readonly edges?: readonly string[]
}

function clausesOf({ exact, clauses, edges }: Known): readonly (readonly string[])[] {
  const whole = exact ?? edges
  return whole === undefined ? clauses : [...clauses, whole]
}

const EMPTY_TEXT: Known = { exact: [''], clauses: [] }
const UNKNOWN: Known = { exact: null, clauses: [] }

function wordsOf(syntax: Syntax, signs: Set<string>): Known {
  switch (syntax.kind) {
    case 'unit': {
      const letters = lettersOf(syntax)
      if (letters === null) return UNKNOWN
      if (letters.length <= MAX_SIGN_SET)
        for (const letter of letters) if (letters.length === 1 || !/[%\\]/.test(letter)) signs.add(letter)
      return { exact: letters, clauses: [] }
    }
    case 'sequence':
      return sequenceOf(syntax.items.map((item) => wordsOf(item, signs)))
    case 'choice':
      return choiceOf(syntax.options.map((option) => wordsOf(option, signs)))
    case 'group':
      return wordsOf(syntax.item, signs)
    case 'repeat':
      return repeatOf(wordsOf(syntax.item, signs), syntax.least, syntax.most)
    case 'edge':
      return EMPTY_TEXT
    case 'look':
      wordsOf(syntax.item, signs)
      return EMPTY_TEXT
  }
}

/**
 * The ASCII characters of a small set, without case; null for large sets and those beyond ASCII. A set that holds the
 * blank holds all white space for one blank.
 */
function lettersOf({ test, source }: Syntax & { kind: 'unit' }): string[] | null {
  if (/[^\0-\x7f]|\\[dDwWSux]|^\.$|^\[\^/.test(source)) {
    const plain = /^\\(?:x([0-7][0-9a-fA-F])|u00([0-7][0-9a-fA-F]))$/.exec(source)
    if (plain === null) return null
  }
  const holdsBlank = test(BLANK)
  const letters = new Set<string>()
  for (let code = 0; code < 128; code++) {
    if (!test(code)) continue
    const letter = String.fromCharCode(code)
    letters.add(holdsBlank && /\s/.test(letter) ? ' ' : letter.toLowerCase())
  }
  return letters.size === 0 || letters.size > MAX_SET ? null : [...letters]
}

const BLANK = 32

/** Joins what stands side by side: exact parts grow together until there are too many of them. */
function sequenceOf(parts: readonly Known[]): Known {
  const clauses: (readonly string[])[] = []
  let run: readonly string[] = ['']
  let isWhole = true
  for (const { exact, clauses: inner, edges } of parts) {
    clauses.push(...inner)
    const next = exact ?? edges ?? null
    const joined = next === null ? null : joinedTexts(run, next)
    if (exact !== null && joined !== null) {
      run = joined
      continue
    }
    clauses.push(joined ?? run)
    const behind = joined === null && next !== null ? joinedTexts(endsOf(run, next.length), next) : null
    run = behind ?? next ?? ['']
    isWhole = false
  }
  if (isWhole) return { exact: run, clauses }
  clauses.push(run)
  return { exact: null, clauses: clauses.filter(isUseful) }
}

/** The ends of texts, as long as may be joined with this many others: of each text one is its end. */
function endsOf(texts: readonly string[], count: number): readonly string[] {
  for (let length = MAX_WORD; length > 0; length--) {
    const ends = [...new Set(texts.map((text) => text.slice(-length)))]
    if (ends.length * count <= MAX_ALTERNATIVES) return ends
  }
  return ['']
}

/** Each text of the one behind each of the other; null when they are too many. */
function joinedTexts(starts: readonly string[], ends: readonly string[]): readonly string[] | null {
  if (starts.length * ends.length > MAX_ALTERNATIVES) return null
  // Texts are cut alike, so that what is kept is still the beginning of the text that is meant.
  return [...new Set(starts.flatMap((start) => ends.map((end) => (start + end).slice(0, MAX_TEXT))))]
}

/** One of several: all their texts, or the best set of each put together. */
function choiceOf(options: readonly Known[]): Known {
  if (options.every(({ exact }) => exact !== null)) {
    const all = [...new Set(options.flatMap(({ exact }) => exact!))]
    if (all.length <= MAX_ALTERNATIVES) return { exact: all, clauses: [] }
  }
  const words: string[] = []
  for (const option of options) {
    const [best] = bestOf(clausesOf(option))
    if (best === undefined) return UNKNOWN
    words.push(...best)
  }
  return words.length > 4 * MAX_ALTERNATIVES ? UNKNOWN : { exact: null, clauses: [[...new Set(words)]] }
}

function repeatOf(item: Known, least: number, most: number): Known {
  if (item.exact !== null && most === 1)
    return least === 1 ? item : { exact: [...new Set(['', ...item.exact])], clauses: [] }
  if (least === 0) return UNKNOWN
  if (item.exact === null) return { exact: null, clauses: clausesOf(item) }
  const times = Math.min(least, MAX_WORD)
  const repeated = sequenceOf(Array.from({ length: times }, () => item))
  if (repeated.exact === null || (least === most && times === least)) return repeated
  // A text that was cut still begins as it is written here, but does not end so.
  const isCut = repeated.exact.some((text) => text.length >= MAX_TEXT)
  return isCut
    ? { exact: null, clauses: [repeated.exact] }
    : { exact: null, clauses: [], edges: repeated.exact }
}

/** Single letters, digits and blanks are in nearly every text. */
function isUseful(words: readonly string[]): boolean {
  return (
    words.length > 0 &&
    words.every((word) => (word.length >= 2 ? word.trim() !== '' : /[^a-z0-9 ]/.test(word)))
  )
}

/** The rarest sets, the rarest first. */
function bestOf(clauses: readonly (readonly string[])[]): string[][] {
  const sorted = clauses
    .filter(isUseful)
    .map((words) => withoutLonger(words))
    .filter((words, i, all) => all.findIndex((other) => other.join('\n') === words.join('\n')) === i)
    .filter((words) => words.length <= 4 * MAX_ALTERNATIVES)
    .sort((a, b) => rarity(b) - rarity(a))
  const least = sorted[0] !== undefined && rarity(sorted[0]) >= ENOUGH_BITS ? ENOUGH_BITS : MIN_BITS
  return sorted
    .filter((words, i) => i === 0 || rarity(words) >= least || words.every((word) => FEW.test(word)))
    .slice(0, MAX_CLAUSES)
}

/** The ends of words, which tell more than beginnings do; one that holds another of the set says nothing new. */
function withoutLonger(words: readonly string[]): string[] {
  const cut = [...new Set(words.map((word) => word.slice(-MAX_WORD)))]
  return cut.filter((word) => !cut.some((other) => other !== word && word.includes(other)))
}

/** How seldom a set is met in ordinary messages, roughly: bits of its likeliest word, less those of its size. */
function rarity(words: readonly string[]): number {
  const least = words.reduce((bits, word) => Math.min(bits, wordBits(word)), Number.POSITIVE_INFINITY)
  return least - Math.log2(words.length)
}

/** What nearly every message holds: a word out of it tells little. */
const COMMON_TEXT =
  'https://www. http:// application/json text/html, image/webp, content-type: user-agent: authorization: bearer ' +
  'mozilla/5.0 (windows nt 10.0; win64; x64) applewebkit/537.36 (khtml, like gecko) chrome/ safari/ ' +
  'accept-language: en-us, en; q=0.9 accept-encoding: gzip, deflate, br charset=utf-8 keep-alive host: cookie: referer: ' +
  'origin: cache-control: no-cache content-length: x-request-id: eyj .eyj status name email value .com/'
const COMMON_BITS = 4

function wordBits(word: string): number {
  if (/^[-.,/=:"_]$/.test(word)) return 0
  if (COMMON_TEXT.includes(word)) return COMMON_BITS
  let bits = 0
  for (const sign of word) bits += /[a-z0-9 ]/.test(sign) ? 3.5 : /[-"',:/=.&_]/.test(sign) ? 3 : 6
  return bits
}
