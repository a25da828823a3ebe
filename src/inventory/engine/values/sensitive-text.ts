import { DATA_TYPES, type Location, type TypeRules } from '../../../data-types/index.ts'
import { typesOfValue } from './types-of-value.ts'

/** Digits of a payment card, in one piece or in groups as people write them. */
const CARD = /(?<![\dA-Za-z.])(?:[2-689]\d{12,18}|[2-689]\d{3}(?:[ \u00a0.+-]\d{2,7}){2,4})(?![\dA-Za-z])/g
/** A sign between two groups of digits. */
const GROUP_END = /\D/g
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----([^-]{16,16384})/g
/** What stands between blanks, quotes, brackets and separators; a longer one comes in pieces. */
const TOKEN = /[^\s!"'()*,;<>?&[\]`{|}\\]{6,2048}/g
/** Inside of tokens such as `mailto:`, `pan=` and addresses. */
const SEPARATOR = /[:=/#~]/
/** Any number dialled from abroad counts as one: to look each up in the plan of its country takes too long. */
const DIALLED = /^\+\d[\d ().-]{6,20}$/
/** Shorter texts are one value. */
export const MIN_TEXT = 13
const MIN_PART = 6
const MIN_KEY_LINE = 16
/** A shorter token with neither digit nor @ is a word. */
const MIN_WORD = 16

/** Types whose value tells what it is; the others need the name of a field, which a text does not have. */
const PROVEN: ReadonlySet<string> = new Set(
  DATA_TYPES.filter(({ evidence }) => evidence === 'PROOF').map(({ name }) => name),
)
const BUILT_IN: ReadonlySet<string> = new Set(DATA_TYPES.map(({ name }) => name))
const CREDIT_CARD = DATA_TYPES.find(({ name }) => name === 'CREDIT_CARD')!

/** Passes on every sensitive value inside a text, such as a page, a line of a log or a cut document. */
export function findInText(
  text: string,
  location: Location,
  rules: TypeRules,
  found: (value: string) => void,
): void {
  findCards(text, location, rules, found)
  for (const [, lines] of text.matchAll(PRIVATE_KEY))
    for (const line of lines!.split(/\\n|\s+/)) if (line.length >= MIN_KEY_LINE) found(line)
  const context = { key: '', parentKey: '', location }
  const isSensitive = (value: string): boolean =>
    isDialled(value, location, rules) ||
    typesOfValue(value, context, rules).some(
      (type) => (PROVEN.has(type) || !BUILT_IN.has(type)) && rules.isSensitive(type, location, ''),
    )
  for (const [whole] of text.matchAll(TOKEN)) {
    const token = whole.replace(/[.:-]+$/, '')
    if (token.length < MIN_WORD && !/[\d@]/.test(token)) continue
    if (isSensitive(token)) found(token)
    else if (SEPARATOR.test(token)) for (const part of partsOf(token)) if (isSensitive(part)) found(part)
  }
}

/** Whether a sensitive value stands inside a text. */
export function holdsSensitive(text: string, location: Location, rules: TypeRules): boolean {
  if (text.length < MIN_TEXT) return false
  let isFound = false
  findInText(text, location, rules, () => {
    isFound = true
  })
  return isFound
}

/** True for a telephone number with its country code, where these are a concern. */
export function isDialled(value: string, location: Location, rules: TypeRules): boolean {
  return DIALLED.test(value) && isConcern('PHONE_NUMBER', location, rules)
}

/** Passes on the numbers of payment cards in a text; what stands beside one may look like a further group of it. */
export function findCards(
  text: string,
  location: Location,
  rules: TypeRules,
  found: (value: string) => void,
): void {
  if (!isConcern(CREDIT_CARD.name, location, rules)) return
  const pattern = new RegExp(CARD)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [run] = match
    const ends = Array.from(run.matchAll(GROUP_END), ({ index }) => index)
    const end = [run.length, ...ends.slice(2)].find((at) => isCard(run.slice(0, at), location))
    if (end !== undefined) found(run.slice(0, end))
    pattern.lastIndex = match.index + (end ?? ends[0] ?? run.length)
  }
}

function isCard(grouped: string, location: Location): boolean {
  const context = { key: '', parentKey: '', location, named: false, misleading: false }
  return CREDIT_CARD.verify(grouped.replace(/\D/g, ''), context) > 0
}

function isConcern(type: string, location: Location, { inactive, isSensitive }: TypeRules): boolean {
  return inactive?.has(type) !== true && isSensitive(type, location, '')
}

/** What stands between the separators of a token. */
function partsOf(token: string): string[] {
  return token
    .split(SEPARATOR)
    .map((part) => part.replace(/\.+$/, ''))
    .filter(({ length }) => length >= MIN_PART)
}
