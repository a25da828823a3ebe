/** A text on its way from what was sent to what was matched. */
interface DecodedView {
  /** What was done to the text before: "Percent-decoded". */
  readonly name: string
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const MAX_STEPS = 6
const MAX_LENGTH = 20_000

/** One decoding: the runs that it changes, and what each becomes; a run that stays is given back as it is. */
interface Step {
  readonly name: string
  readonly runs: RegExp
  readonly decode: (found: RegExpExecArray) => string
}

function percentDecoded(run: string): string {
  const bytes = Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16))
  return new TextDecoder().decode(bytes)
}

function entityDecoded([, hex, decimal, name]: RegExpExecArray): string {
  if (name !== undefined) return entities[name] ?? ''
  return fromCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** Base64 of some length that decodes to readable text. */
function base64Decoded(run: string): string {
  try {
    const decoded = atob(run.replaceAll('-', '+').replaceAll('_', '/'))
    return /^[\s\u0020-\u007e]+$/.test(decoded) ? decoded : run
  } catch {
    return run // not Base64: it stays as it is
  }
}

const steps: readonly Step[] = [
  {
    name: 'Percent-decoded',
    // One character at a time, so that its place is known; those beyond ASCII are several bytes.
    runs: /%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+/gi,
    decode: ([run]) => percentDecoded(run),
  },
  { name: 'Plus signs as spaces', runs: /\+/g, decode: () => ' ' },
  {
    name: 'Escapes decoded',
    runs: /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi,
    decode: ([, braced, four, two]) => fromCode(Number.parseInt(braced ?? four ?? two ?? '', 16)),
  },
  {
    name: 'HTML entities decoded',
    runs: /&#[xX]([0-9a-fA-F]{1,6});?|&#(\d{1,7});?|&(lt|gt|quot|apos|amp);/g,
    decode: entityDecoded,
  },
  {
    name: 'Base64 decoded',
    runs: /[A-Za-z0-9+/_-]{16,}={0,2}/g,
    decode: ([run]) => base64Decoded(run),
  },
]

/** A decoded text, and where each of its characters is in what was sent. */
interface Decoded {
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

function decodedBy({ runs, decode }: Step, before: Decoded): Decoded {
  const [from, to]: [number[], number[]] = [[], []]
  let text = ''
  const add = (part: string, first: number, last: number | null) => {
    for (let at = 0; at < part.length; at++) {
      from.push(before.from[last === null ? first + at : first]!)
      to.push(before.to[last ?? first + at]!)
    }
    text += part
  }
  let done = 0
  for (const found of before.text.matchAll(runs)) {
    add(before.text.slice(done, found.index), done, null)
    done = found.index + found[0].length
    add(decode(found), found.index, done - 1)
  }
  add(before.text.slice(done), done, null)
  return { text, from, to }
}

interface NamedDecoded extends Decoded {
  readonly name: string
}

/** A text and what it is after each decoding that changes it, until it holds the phrase. */
function decodings(sent: string, phrase: string): NamedDecoded[] {
  const text = sent.slice(0, MAX_LENGTH)
  const from = Array.from({ length: text.length }, (_none, at) => at)
  const found: NamedDecoded[] = [{ name: 'As sent', text, from, to: from.map((at) => at + 1) }]
  for (let round = 0; round < MAX_STEPS && placeOf(found.at(-1)!.text, phrase) === null; round++) {
    const before = found.at(-1)!
    const next = steps
      .map((step) => ({ name: step.name, ...decodedBy(step, before) }))
      .find(({ text }) => text !== before.text)
    if (next === undefined) break
    found.push(next)
  }
  return found
}

/**
 * How a text as it was sent turns into one that holds a matched phrase: each step that changes it. The last one holds the
 * phrase, or is as far as decoding leads. Filters compare without regard to case and runs of white space.
 */
export function decodedViews(sent: string, phrase: string): DecodedView[] {
  return decodings(sent, phrase).map(({ name, text }) => ({ name, text }))
}

/** Where what was sent holds a phrase, also in an encoding; null where it does not. */
export function sentPlaceOf(sent: string, phrase: string): readonly [from: number, to: number] | null {
  const literal = placeOf(sent, phrase)
  if (literal !== null) return literal
  const last = decodings(sent, phrase).at(-1)!
  const place = placeOf(last.text, phrase)
  return place === null ? null : [last.from[place[0]]!, last.to[place[1] - 1]!]
}

/** The places of phrases in what was sent, in their order; of those that overlap, the first. */
export function sentPlacesOf(
  sent: string,
  phrases: readonly string[],
): (readonly [from: number, to: number])[] {
  let done = 0
  return phrases
    .map((phrase) => sentPlaceOf(sent, phrase))
    .filter((place) => place !== null)
    .sort((a, b) => a[0] - b[0])
    .filter(([from, to]) => {
      if (from < done) return false
      done = to
      return true
    })
}

/** Where a text holds a phrase, without regard to case; null where it does not. */
export function placeOf(text: string, phrase: string): readonly [from: number, to: number] | null {
  if (phrase === '') return null
  const words = phrase
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const found = new RegExp(words.join('\\s+'), 'i').exec(text)
  return found === null ? null : [found.index, found.index + found[0].length]
}
