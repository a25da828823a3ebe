import { gunzipSync } from 'node:zlib'
import { detectDataTypes } from './detect.ts'
import type { ValueContext } from './detector.ts'
import { joseHeaderOf } from './jose-header.ts'
import { ALPHANUMERIC, charClasses, EQUALS, PLUS, SLASH, URL_SAFE } from './value-signature.ts'

/** A type found inside an encoded value. */
interface NestedFinding {
  readonly name: string
  readonly confidence: number
  /** The way to it, for example `data#blob → base64 → json → email`. */
  readonly route: string
  /** Key of the value in the innermost object; '' when there is none. */
  readonly innerKey: string
}

/** Bounds of one search; what is over them is left unread. */
interface NestedBudget {
  /** Encodings undone one inside the other. */
  readonly maxLevels: number
  /** Characters looked at, over all levels together. */
  readonly maxChars: number
  /** Values judged. */
  readonly maxValues: number
}

const NESTED_BUDGET: NestedBudget = { maxLevels: 3, maxChars: 65_536, maxValues: 500 }

const MIN_ENCODED = 12
const MAX_JSON_DEPTH = 12
const PERCENT = /%[0-9A-Fa-f]{2}/
const ARROW = ' → '

/**
 * Searches what is encoded inside a value: percent codes, base64 of text or gzip, claims of a JWT, JSON in a text; at most
 * three levels deep. Meant for values that were sampled, as it costs microseconds. `path` is the flattened key of the
 * value; the types of the value itself are not repeated.
 */
export function detectNested(
  value: string,
  path: string,
  context: ValueContext,
  budget: NestedBudget = NESTED_BUDGET,
): readonly NestedFinding[] {
  const search = new NestedSearch(context, budget)
  search.unwrap(value, path, context.key, 0)
  return search.findings()
}

/** One encoding undone. */
interface Layer {
  readonly label: string
  readonly text: string
}

class NestedSearch {
  readonly #context: ValueContext
  readonly #budget: NestedBudget
  readonly #found = new Map<string, NestedFinding>()
  #charsLeft: number
  #valuesLeft: number

  constructor(context: ValueContext, budget: NestedBudget) {
    this.#context = context
    this.#budget = budget
    this.#charsLeft = budget.maxChars
    this.#valuesLeft = budget.maxValues
  }

  findings(): readonly NestedFinding[] {
    return [...this.#found.values()]
  }

  unwrap(value: string, route: string, key: string, level: number): void {
    if (value.length < MIN_ENCODED || level >= this.#budget.maxLevels) return
    this.#charsLeft -= value.length
    if (this.#charsLeft < 0) return
    const json = parseJson(value)
    if (json !== undefined) {
      this.#walk(json, `${route}${ARROW}json`, key, '', level + 1, 0)
      return
    }
    const layer = jwtClaims(value) ?? percentDecoded(value) ?? base64Decoded(value)
    if (layer === undefined) return
    const next = `${route}${ARROW}${layer.label}`
    if (layer.label === 'jwt') {
      const claims = parseJson(layer.text)
      if (claims !== undefined) this.#walk(claims, next, key, '', level + 1, 0)
      return
    }
    // What holds JSON is judged value by value, not as one text.
    if (parseJson(layer.text) === undefined) this.#judge(layer.text, next, key, '', level + 1)
    else this.unwrap(layer.text, next, key, level + 1)
  }

  /** Every text and number of a decoded object. */
  #walk(value: unknown, route: string, key: string, parentKey: string, level: number, depth: number): void {
    if (this.#valuesLeft <= 0 || depth > MAX_JSON_DEPTH) return
    if (typeof value === 'string') this.#judge(value, route, key, parentKey, level)
    else if (typeof value === 'number') this.#judge(String(value), route, key, parentKey, level)
    else if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, route, key, parentKey, level, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) this.#walk(inner, route, name, key, level, depth + 1)
    }
  }

  #judge(text: string, route: string, key: string, parentKey: string, level: number): void {
    this.#valuesLeft--
    if (this.#valuesLeft < 0) return
    const { location } = this.#context
    for (const { name, confidence } of detectDataTypes(text, { key, parentKey, location })) {
      const finding = { name, confidence, route: `${route}${ARROW}${name.toLowerCase()}`, innerKey: key }
      const before = this.#found.get(finding.route)
      if (before === undefined || before.confidence < confidence) this.#found.set(finding.route, finding)
    }
    this.unwrap(text, route, key, level)
  }
}

function parseJson(text: string): unknown {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A text that only begins like JSON.
    return undefined
  }
}

function jwtClaims(value: string): Layer | undefined {
  const token = value.slice(value.lastIndexOf(' ') + 1)
  if (!token.startsWith('ey') || joseHeaderOf(token) === undefined) return undefined
  const claims = token.split('.', 3)[1] ?? ''
  return { label: 'jwt', text: Buffer.from(claims, 'base64').toString('utf8') }
}

function percentDecoded(value: string): Layer | undefined {
  if (!PERCENT.test(value)) return undefined
  try {
    const text = decodeURIComponent(value)
    return text === value ? undefined : { label: 'percent', text }
  } catch {
    // A stray percent sign: the value is not encoded text.
    return undefined
  }
}

/** Base64 (either alphabet) whose bytes are readable text, plain or compressed. */
function base64Decoded(value: string): Layer | undefined {
  const classes = charClasses(value)
  if ((classes & ~(ALPHANUMERIC | PLUS | SLASH | EQUALS)) !== 0 && (classes & ~(URL_SAFE | EQUALS)) !== 0)
    return undefined
  if (value.replace(/=+$/, '').length % 4 === 1) return undefined
  const bytes = Buffer.from(value, 'base64')
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipped(bytes)
  const text = bytes.toString('utf8')
  return isReadable(text) ? { label: 'base64', text } : undefined
}

function gunzipped(bytes: Buffer): Layer | undefined {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: NESTED_BUDGET.maxChars }).toString('utf8')
    return isReadable(text) ? { label: `base64${ARROW}gzip`, text } : undefined
  } catch {
    // Truncated, or larger than the budget.
    return undefined
  }
}

/** Readable: no replacement and control characters, and not the short noise that any base64 word decodes to. */
function isReadable(text: string): boolean {
  if (text.length < 6 || text.includes('\ufffd')) return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return false
  }
  return true
}
