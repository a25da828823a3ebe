import commonWords from '@zxcvbn-ts/language-en/dist/commonWords.json.mjs'
import firstNames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import { isSuffixSegment } from './path-suffix.ts'
import { PATH_WORDS, RESERVED_WORDS } from './path-words.ts'
import { entropy } from './token-form.ts'

/** What a weak token is made of. */
type LexicalKind =
  | 'reserved'
  | 'resource'
  | 'plural'
  | 'word'
  | 'words'
  | 'name'
  | 'locale'
  | 'code'
  | 'coined'
  | 'unknown'
  | 'file'
  | 'identifier'
  | 'pair'
  | 'slug'
  | 'phrase'
  | 'digits'
  | 'mixed'
  | 'opaque'

/** How a token reads; `weight` in log-odds-like units, positive for values, negative for static names. */
export interface Lexeme {
  kind: LexicalKind
  weight: number
}

/** Weights of {@link LexicalKind}; `reserved` is never folded, whatever the score. */
const LEXICAL_WEIGHTS: Readonly<Record<LexicalKind, number>> = {
  reserved: -4,
  resource: -2,
  plural: -1.4,
  word: -0.6,
  phrase: -1,
  identifier: -1,
  words: -0.5,
  name: 0.2,
  pair: 0.4,
  slug: 0.8,
  locale: 0.6,
  code: 0.9,
  coined: -0.5,
  unknown: 0.7,
  file: 1.5,
  digits: 1.2,
  mixed: 2,
  opaque: 3,
}

const ENGLISH: ReadonlySet<string> = new Set(commonWords)
const NAMES: ReadonlySet<string> = new Set(firstNames)

/** Language codes (ISO 639-1) that are used as the first part of a locale. */
const LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg bn ca cs da de el en es et fa fi fr ga he hi hr hu hy id is it ja ka kk ko lt lv mk mn ms mt nb nl nn no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh'.split(
    ' ',
  ),
)
const LOCALE = /^([a-z]{2})(?:[-_](?:[A-Z][a-z]{3}[-_])?([A-Z]{2}|[a-z]{2}))?$/
const FILE = /^[\w@%+.-]+\.[a-z][a-z0-9]{0,4}$/i
const SIGIL = /^[@~_$][a-z]/
const SEPARATORS = /[-_.~+%:@$ ]+/
const MAX_PIECES = 12
const MAX_JUDGED_LENGTH = 256

const LEXEMES = Object.fromEntries(
  Object.entries(LEXICAL_WEIGHTS).map(([kind, weight]) => [kind, { kind, weight }]),
) as Readonly<Record<LexicalKind, Lexeme>>

/** Tokens read before; emptied when full, for what is read is cheap to read again. */
const REMEMBERED = new Map<string, Lexeme>()
const MAX_REMEMBERED = 20_000
const MAX_REMEMBERED_LENGTH = 64

/** How a token reads on its own. */
export function lexemeOf(token: string): Lexeme {
  const known = REMEMBERED.get(token)
  if (known !== undefined) return known
  const lexeme = LEXEMES[kindOf(token.length > MAX_JUDGED_LENGTH ? token.slice(0, MAX_JUDGED_LENGTH) : token)]
  if (token.length <= MAX_REMEMBERED_LENGTH) {
    if (REMEMBERED.size >= MAX_REMEMBERED) REMEMBERED.clear()
    REMEMBERED.set(token, lexeme)
  }
  return lexeme
}

/** True for the text of a locale: `en`, `en-GB`, `zh_Hant_TW`. */
export function isLocale(token: string): boolean {
  const match = LOCALE.exec(token)
  return match !== null && LANGUAGES.has(match[1]!)
}

/** True for a plural noun that interfaces name collections with: its children are rather members of it. */
export function namesCollection(token: string): boolean {
  // Behind one member of a set stand its properties.
  if (token.endsWith('()')) return false
  const last = piecesOf(token).at(-1)?.toLowerCase()
  return last !== undefined && last.length > 2 && last.endsWith('s') && !/(?:ss|us|is)$/.test(last)
}

/** Singular of an English noun, for parameter names: `categories` → `category`. */
export function singularOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.endsWith('ies') && lower.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(lower) || lower.endsWith('statuses')) return word.slice(0, -2)
  if (lower.endsWith('s') && !/(?:ss|us|is|news)$/.test(lower)) return word.slice(0, -1)
  return word
}

function kindOf(token: string): LexicalKind {
  const lower = token.toLowerCase()
  if (RESERVED_WORDS.has(lower) || isSuffixSegment(token)) return 'reserved'
  if (token.endsWith('()')) return keyedKind(token.slice(0, -2))
  if (SIGIL.test(lower)) return sigilKind(lower)
  if (LOCALE.test(token) && /[-_]/.test(token) && isLocale(token)) return 'locale'
  const pieces = piecesOf(token)
  if (!/\d/.test(token)) {
    if (pieces.length <= 1) return singleKind(pieces[0] ?? '', token)
    if (FILE.test(token)) return 'file'
    return isScrambled(token, pieces) ? 'opaque' : severalKind(pieces, token)
  }
  if (isMixed(token) || isScrambled(token, pieces)) return 'opaque'
  if (FILE.test(token)) return 'file'
  return numberedKind(token, pieces)
}

/** Whatever had keys in parentheses: a set or a function, or the copy of a file (`IMG_2031(1)`). */
function keyedKind(name: string): LexicalKind {
  const kind = kindOf(name)
  // No identifier of OData has a hyphen (4.01 ABNF, odataIdentifier).
  if ((kind === 'digits' || kind === 'slug' || kind === 'mixed') && name.includes('-')) return kind
  // Few such names are sets (`YY1_BP01(5)`), many are files.
  return kind === 'mixed' || kind === 'opaque' ? 'words' : 'resource'
}

/** Tokens with digits: numbered names of the interface, numbered values, or letters and digits without a word. */
function numberedKind(token: string, pieces: readonly string[]): LexicalKind {
  const words = pieces.filter((piece) => piece.length > 2 && isWord(piece.toLowerCase())).length
  // `http_response_time_95p`, `users-28-day`: a name that has a small number in it, rather than a numbered value.
  if (words >= 2 && !/\d$|\d{3}/.test(token)) return words >= 3 && token.includes('-') ? 'pair' : 'words'
  if (words >= 3) return token.includes('_') ? 'words' : 'slug'
  return words === 0 && token.length >= 6 && /\d.*\d/.test(token) ? 'mixed' : 'digits'
}

/**
 * `@me`, `_all`: a sign before a word marks a name of the interface; before a person's name it does not. Behind an
 * underscore or a dollar sign stand names that no dictionary has (`_eql`, `$metadata`).
 */
function sigilKind(lower: string): LexicalKind {
  const rest = lower.slice(1)
  if (isPathWord(rest)) return 'reserved'
  if (/^[_$][a-z_]+$/.test(lower)) {
    const pieces = piecesOf(rest)
    if (pieces.every((piece) => isWord(piece) && !NAMES.has(piece))) return 'reserved'
    return pieces.some((piece) => NAMES.has(piece)) ? 'unknown' : 'resource'
  }
  return ENGLISH.has(rest) && !NAMES.has(rest) ? 'reserved' : 'unknown'
}

function singleKind(piece: string, token: string): LexicalKind {
  const lower = piece.toLowerCase()
  if (lower.length >= 2 && lower.length <= 6 && token === token.toUpperCase()) return 'code'
  if (isPathWord(lower)) return 'resource'
  if (ENGLISH.has(lower)) {
    if (NAMES.has(lower)) return 'name'
    if (isPlural(lower) && ENGLISH.has(singularOf(lower))) return 'plural'
    return lower.length < 3 ? 'code' : 'word'
  }
  if (NAMES.has(lower)) return 'name'
  if (lower.length <= 3) return 'code'
  return isPlural(lower) && lower.length > 5 ? 'coined' : 'unknown'
}

function severalKind(pieces: readonly string[], token: string): LexicalKind {
  let known = 0
  let path = 0
  for (const piece of pieces) {
    const lower = piece.toLowerCase()
    if (isPathWord(lower)) path++
    if (isWord(lower) || lower.length === 1) known++
  }
  if (known === 0) return 'unknown'
  if (token === token.toUpperCase()) return 'code'
  const last = pieces.at(-1)!.toLowerCase()
  if (known === pieces.length && path === known && pieces.length <= 4)
    return isPlural(last) ? 'resource' : 'phrase'
  if (pieces.length <= 4 && isPathWord(last) && isPlural(last)) return 'plural'
  if (
    known === pieces.length &&
    isCamelCase(token) &&
    !pieces.some((piece) => NAMES.has(piece.toLowerCase()))
  )
    return 'identifier'
  if (pieces.length >= 3 && !token.includes('-')) return 'identifier'
  if (pieces.length >= 4) return 'slug'
  return path === 0 && token.includes('-') ? 'pair' : 'words'
}

/** Upper and lower case without a pattern, as in `wxTFzkhU3X`: hardly a word in it. */
function isScrambled(token: string, pieces: readonly string[]): boolean {
  if (token.length < 8 || token === token.toUpperCase() || token === token.toLowerCase()) return false
  let letters = 0
  let inWords = 0
  for (const piece of pieces) {
    letters += piece.length
    if (piece.length > 2 && isWord(piece.toLowerCase())) inWords += piece.length
  }
  return pieces.length >= 3 && inWords * 2 < letters
}

/** Words run together as programs name things: `ThisMonth`, `trialBalance`. */
function isCamelCase(token: string): boolean {
  return /^[A-Za-z]+$/.test(token)
}

function isPlural(lower: string): boolean {
  return lower.length > 3 && lower.endsWith('s') && !/(?:ss|us|is)$/.test(lower)
}

/** Letters and digits mixed like a machine does: at least 8 signs, three changes of kind, high entropy. */
function isMixed(token: string): boolean {
  if (token.length < 8) return false
  let changes = 0
  let previous = ''
  for (const sign of token) {
    const kind = sign >= '0' && sign <= '9' ? 'd' : /[a-z]/i.test(sign) ? 'a' : previous
    if (previous !== '' && kind !== previous) changes++
    previous = kind
  }
  return changes >= 3 && entropy(token) > 2.7
}

function isPathWord(lower: string): boolean {
  return (
    PATH_WORDS.has(lower) ||
    RESERVED_WORDS.has(lower) ||
    (lower.endsWith('s') && PATH_WORDS.has(singularOf(lower)))
  )
}

function isWord(lower: string): boolean {
  return ENGLISH.has(lower) || isPathWord(lower) || (lower.endsWith('s') && ENGLISH.has(lower.slice(0, -1)))
}

/** Pieces between separators and at the humps of camelCase, without digits. */
function piecesOf(token: string): string[] {
  const pieces: string[] = []
  for (const part of token.split(SEPARATORS)) {
    for (const piece of part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []) {
      if (pieces.length < MAX_PIECES) pieces.push(piece)
    }
  }
  return pieces
}
