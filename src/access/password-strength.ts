/** What a password is mostly made of when it is easy to guess. */
export type Weakness = 'common' | 'pattern' | 'personal'

/** Guessers try parts in the order of their frequency, so a part costs the logarithm of its rank. */
const ENOUGH_BITS = 30
const YEAR_BITS = 7
const RUN_BITS = 4
const PERSONAL_BITS = 1
const MIN_PERSONAL_LENGTH = 3
const MIN_RUN_LENGTH = 3
const MIN_WORD_LENGTH = 3
const MAX_PART_LENGTH = 24
const MIN_DIFFERENT_CHARACTERS = 5

const KEYBOARD_ROWS = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
]

/** Letters behind the signs that people put in their place. */
const SIGNS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '1': 'i',
  '!': 'i',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
}

interface Part {
  readonly bits: number
  readonly weakness: Weakness | null
}

/**
 * Why a password is easy to guess; null when it is not. It is split into the cheapest parts for a guesser: common
 * passwords of a list, also with signs for letters, parts that belong to the person, years, runs of equal or
 * neighbouring characters, and single characters.
 *
 * @param personal texts that an attacker knows of the person, such as the e-mail address
 */
export async function findWeakness(password: string, personal: readonly string[]): Promise<Weakness | null> {
  const ranks = await commonPasswords()
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS) return 'pattern'
  const text = unrepeated(password.normalize('NFKC').toLowerCase())
  const parts = personalParts(personal)
  const cheapest: { bits: number; weaknesses: Map<Weakness, number> }[] = [{ bits: 0, weaknesses: new Map() }]
  for (let end = 1; end <= text.length; end++) {
    const before = cheapest[end - 1]!
    let best = { bits: before.bits + characterBits(text[end - 1]!), weaknesses: before.weaknesses }
    for (let start = end - MIN_WORD_LENGTH; start >= Math.max(0, end - MAX_PART_LENGTH); start--) {
      const part = judgePart(text.slice(start, end), ranks, parts)
      const bits = cheapest[start]!.bits + part.bits
      if (part.weakness === null || bits >= best.bits) continue
      const weaknesses = new Map(cheapest[start]!.weaknesses)
      weaknesses.set(part.weakness, (weaknesses.get(part.weakness) ?? 0) + end - start)
      best = { bits, weaknesses }
    }
    cheapest.push(best)
  }
  const { bits, weaknesses } = cheapest.at(-1)!
  if (bits >= ENOUGH_BITS) return null
  return [...weaknesses].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 'pattern'
}

function judgePart(part: string, ranks: ReadonlyMap<string, number>, personal: ReadonlySet<string>): Part {
  if (personal.has(part)) return { bits: PERSONAL_BITS, weakness: 'personal' }
  const rank = ranks.get(part)
  if (rank !== undefined) return { bits: Math.log2(rank + 1), weakness: 'common' }
  const lettered = part.replace(/[^a-z]/g, (sign) => SIGNS[sign] ?? sign)
  const letteredRank = lettered === part ? undefined : ranks.get(lettered)
  if (letteredRank !== undefined) return { bits: Math.log2(letteredRank + 1) + 1, weakness: 'common' }
  if (/^(?:19|20)\d\d$/.test(part)) return { bits: YEAR_BITS, weakness: 'pattern' }
  if (isRun(part)) return { bits: RUN_BITS + Math.log2(part.length), weakness: 'pattern' }
  return { bits: Number.POSITIVE_INFINITY, weakness: null }
}

/** Equal characters, neighbours of the alphabet or of a row of the keyboard, forwards or backwards. */
function isRun(part: string): boolean {
  if (part.length < MIN_RUN_LENGTH) return false
  const step = part.charCodeAt(1) - part.charCodeAt(0)
  let isSteady = Math.abs(step) <= 1
  for (let at = 2; at < part.length && isSteady; at++)
    isSteady = part.charCodeAt(at) - part.charCodeAt(at - 1) === step
  if (isSteady) return true
  const backwards = [...part].reverse().join('')
  return KEYBOARD_ROWS.some((row) => row.includes(part) || row.includes(backwards))
}

/** A text that repeats itself is guessed as its unit and two characters more. */
function unrepeated(text: string): string {
  for (let length = 1; length <= text.length / 2; length++)
    if (text.length % length === 0 && text === text.slice(0, length).repeat(text.length / length))
      return `${text.slice(0, length)}xx`
  return text
}

function characterBits(character: string): number {
  if (/[0-9]/.test(character)) return Math.log2(10)
  return /[a-z]/.test(character) ? Math.log2(26) : Math.log2(33)
}

function personalParts(texts: readonly string[]): ReadonlySet<string> {
  const lower = texts.map((text) => text.toLowerCase())
  const parts = [...lower, ...lower.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))]
  return new Set(parts.filter((part) => part.length >= MIN_PERSONAL_LENGTH))
}

let loading: Promise<ReadonlyMap<string, number>> | null = null

/** Common passwords with their rank, read at the first use: most processes never need them. */
function commonPasswords(): Promise<ReadonlyMap<string, number>> {
  loading ??= import('@zxcvbn-ts/language-common/dist/passwords.json.mjs').then(
    ({ default: list }) => new Map(list.map((password, index) => [password, index + 1])),
  )
  return loading
}
