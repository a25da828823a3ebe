import type { BodyLimits, BodyValue } from './body-value.ts'
import type { JsonPrefix } from './json-prefix.ts'
import { readJsonPrefix } from './json-prefix.ts'

/** Texts up to this length cannot nest deeply enough to overflow a recursive reader. */
const SHORT_TEXT = 4096
/** Guards against JSON hijacking that servers put in front (`)]}',`, `while(1);`, `for(;;);`). */
const HIJACK_GUARD = /^(?:\)\]\}',?\s*|while\s*\(1\);|for\s*\(;;\);)/

/** The value of a JSON text, or as much of it as the limits and its faults allow; undefined when it is not JSON. */
export function parseJsonBody(text: string, limits: BodyLimits): JsonPrefix | undefined {
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  if (json.length > limits.maxChars || (json.length > SHORT_TEXT && nestsDeeperThan(json, limits.maxDepth))) {
    return readJsonPrefix(json, limits)
  }
  try {
    return { value: JSON.parse(json) as BodyValue, isTruncated: false }
  } catch {
    // Cut off, guarded or no JSON at all: the bounded reader takes what there is.
    return readJsonPrefix(json.replace(HIJACK_GUARD, ''), limits)
  }
}

const BYTE_ORDER_MARK = 0xfeff

/** True when brackets nest deeper than `limit`; brackets inside texts count too, so it may be true too often. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 91 || code === 123) {
      depth++
      if (depth > limit) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/** Newline-delimited JSON (and RFC 7464 sequences): the first values, or undefined when a line is not JSON. */
export function parseJsonLines(text: string, limits: BodyLimits): JsonPrefix | undefined {
  const values: BodyValue[] = []
  let start = 0
  let isTruncated = false
  while (start < text.length) {
    let end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    const from = text.charCodeAt(start) === RECORD_SEPARATOR ? start + 1 : start
    const line = text.slice(from, end).trim()
    start = end + 1
    if (line === '') continue
    if (values.length >= limits.maxElements) {
      isTruncated = true
      break
    }
    const parsed = parseJsonBody(line, limits)
    // A last line that was cut off is left out.
    if (parsed === undefined || (parsed.isTruncated && end < text.length)) return undefined
    values.push(parsed.value)
    isTruncated ||= parsed.isTruncated
  }
  return values.length > 0 ? { value: values, isTruncated } : undefined
}

const RECORD_SEPARATOR = 0x1e

const JSONP = /^\s*(?:\/\*\*\/\s*)?(?:typeof\s+[\w$.]{1,100}\s*===\s*'function'\s*&&\s*)?[\w$.]{1,100}\s*\(/

/** The argument of a JSONP answer (`callback({...});`), or undefined when the text is no such call. */
export function parseJsonp(text: string, limits: BodyLimits): JsonPrefix | undefined {
  const opening = JSONP.exec(text.slice(0, 512))
  if (opening === null) return undefined
  const end = text.lastIndexOf(')')
  const first = text[opening[0].length]
  if (end < opening[0].length || (first !== '{' && first !== '[')) return undefined
  return parseJsonBody(text.slice(opening[0].length, end), limits)
}
