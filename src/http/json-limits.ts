import { constants } from 'node:buffer'
import { Failure } from '../kit/index.ts'
import type { JsonFault, JsonKeyWatcher } from './json-scanner.ts'
import { JsonScanner } from './json-scanner.ts'
import { linePosition } from './line-position.ts'

interface JsonLimits {
  /** Longest text in characters; as long as text can be by default. */
  readonly maxChars?: number
  /** Deepest nesting; 512 by default. */
  readonly maxDepth?: number
  /** Most values; 4,000,000 by default (about 300 MB once parsed). */
  readonly maxValues?: number
}

interface ParsedJson {
  readonly value: unknown
  /** Sentences about what was repaired or is doubtful, each with its line. */
  readonly warnings: readonly string[]
}

/** Texts up to this length are also searched for duplicate keys; beyond it the search would cost too much. */
const MAX_CHARS_FOR_DUPLICATES = 2_097_152
const MAX_DUPLICATES_TOLD = 20

/**
 * Parses JSON from outside. Size, depth and number of values are checked before anything is built; `__proto__` keys
 * are removed, so that copying the value cannot touch a prototype (CWE-1321). Of duplicate keys the last wins, as in
 * `JSON.parse`, with a warning.
 * @throws Failure JSON_TOO_LARGE, JSON_OVER_LIMIT or JSON_INVALID, the latter two with line and column.
 */
export function parseJson(text: string, limits: JsonLimits = {}): ParsedJson {
  const { maxChars = constants.MAX_STRING_LENGTH, maxDepth = 512, maxValues = 4_000_000 } = limits
  if (text.length > maxChars) throw new Failure('JSON_TOO_LARGE', { size: text.length, limit: maxChars })
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const duplicates = text.length <= MAX_CHARS_FOR_DUPLICATES ? new DuplicateKeys(maxDepth) : undefined
  const scanner = new JsonScanner(text, { maxDepth, maxValues }, start, duplicates)
  if (!scanner.skipValue()) throw jsonFailure(text, scanner.fault)
  if (!Number.isNaN(scanner.peek())) {
    scanner.fail('syntax', 'nothing may follow the value')
    throw jsonFailure(text, scanner.fault)
  }
  const value = parseScanned(start === 0 ? text : text.slice(start))
  const warnings = (duplicates?.found ?? []).map(
    ({ key, offset }) =>
      `the key "${key}" at line ${linePosition(text, offset).line} repeats an earlier one; the last wins`,
  )
  if (/__proto__|\\u005f/i.test(text)) {
    const removed = removeProtoKeys(value)
    if (removed > 0) warnings.push(`${removed} "__proto__" ${removed === 1 ? 'key is' : 'keys are'} left out`)
  }
  return { value, warnings }
}

function parseScanned(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw jsonFailure(text, findBadToken(text), cause)
  }
}

/** The failure that tells a fault's place. */
function jsonFailure(text: string, fault: JsonFault | undefined, cause?: unknown): Failure {
  const { kind, offset, reason } = fault ?? { kind: 'syntax', offset: 0, reason: 'it is not JSON' }
  const code = kind === 'limit' ? 'JSON_OVER_LIMIT' : 'JSON_INVALID'
  return new Failure(code, { ...linePosition(text, offset), offset, reason }, { cause })
}

/** What the scanner lets pass and `JSON.parse` does not: bad characters in strings, malformed numbers. */
function findBadToken(text: string): JsonFault {
  const token = /"|-?[0-9][0-9+\-.eE]*|[+\-.eE][0-9+\-.eE]+/g
  const scanner = new JsonScanner(text, { maxDepth: 1, maxValues: 1 })
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const offset = found.index
    if (found[0] !== '"') {
      if (/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(found[0])) continue
      return { kind: 'syntax', offset, reason: 'a number is malformed' }
    }
    scanner.pos = offset
    if (scanner.readString() === undefined) break
    token.lastIndex = scanner.pos
  }
  return scanner.fault ?? { kind: 'syntax', offset: 0, reason: 'it is not JSON' }
}

/** Remembers the keys of the objects that are open, to notice repeats. */
class DuplicateKeys implements JsonKeyWatcher {
  readonly found: { key: string; offset: number }[] = []
  readonly #keys: Set<string>[]

  constructor(maxDepth: number) {
    this.#keys = new Array<Set<string>>(Math.min(maxDepth, 64))
  }

  openObject(depth: number): void {
    this.#keys[depth] = new Set()
  }

  key(raw: string, depth: number, offset: number): void {
    const seen = this.#keys[depth]
    if (seen === undefined) return
    if (seen.has(raw) && this.found.length < MAX_DUPLICATES_TOLD)
      this.found.push({ key: raw.slice(0, 80), offset })
    seen.add(raw)
  }
}

/** Deletes own `__proto__` keys everywhere in a parsed value, without recursion; returns how many there were. */
function removeProtoKeys(root: unknown): number {
  let removed = 0
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) {
      Reflect.deleteProperty(value, '__proto__')
      removed++
    }
    for (const child of Object.values(value)) if (typeof child === 'object') open.push(child)
  }
  return removed
}
