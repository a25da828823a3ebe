/** A text on its way from what was sent to what was matched. */
interface DecodedView {
  /** What was done to the text before: "Percent-decoded". */
  readonly name: string
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const MAX_STEPS = 6
const MAX_LENGTH = 20_000

/** Percent-encoding; what is not encoded well stays as it is. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16))
    return new TextDecoder().decode(bytes)
  })
}

function unescaped(text: string): string {
  return text
    .replace(/\\u\{?([0-9a-f]{4,6})\}?/gi, (_all, code: string) => fromCode(Number.parseInt(code, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_all, code: string) => fromCode(Number.parseInt(code, 16)))
}

function entitiesDecoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_all, code: string) => fromCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});?/g, (_all, code: string) => fromCode(Number(code)))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_all, name: string) => entities[name] ?? '')
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

/** Base64 runs of some length that decode to readable text. */
function base64Decoded(text: string): string {
  return text.replace(/[A-Za-z0-9+/_-]{16,}={0,2}/g, (run) => {
    try {
      const decoded = atob(run.replaceAll('-', '+').replaceAll('_', '/'))
      return /^[\s\u0020-\u007e]+$/.test(decoded) ? decoded : run
    } catch {
      return run // not Base64: it stays as it is
    }
  })
}

const steps: readonly (readonly [name: string, decode: (text: string) => string])[] = [
  ['Percent-decoded', percentDecoded],
  ['Plus signs as spaces', (text) => text.replaceAll('+', ' ')],
  ['Escapes decoded', unescaped],
  ['HTML entities decoded', entitiesDecoded],
  ['Base64 decoded', base64Decoded],
]

/**
 * How a text as it was sent turns into one that holds a matched phrase: each step that changes it. The last one holds the
 * phrase, or is as far as decoding leads. Filters compare without regard to case and runs of white space.
 */
export function decodedViews(sent: string, phrase: string): DecodedView[] {
  const views: DecodedView[] = [{ name: 'As sent', text: sent.slice(0, MAX_LENGTH) }]
  for (let round = 0; round < MAX_STEPS && !holds(views.at(-1)!.text, phrase); round++) {
    const { text } = views.at(-1)!
    const next = steps
      .map(([name, decode]) => ({ name, text: decode(text) }))
      .find((one) => one.text !== text)
    if (next === undefined) break
    views.push(next)
  }
  return views
}

/** Whether a text holds a phrase, as filters compare. */
function holds(text: string, phrase: string): boolean {
  return placeOf(text, phrase) !== null
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
