import { readPlainHeaderText } from './plain-header-text.ts'

/** Most header fields that one message may carry; far above what servers accept (usually 100 to 200). */
export const MAX_HEADERS = 1000
/** Longest headers of one message together, in characters. */
export const MAX_HEADER_CHARS = 1_048_576

/** Why a header list is over the limits, as the end of a sentence; undefined when it is not. */
export function headerExcess(headers: readonly string[]): string | undefined {
  if (headers.length > 2 * MAX_HEADERS) return `has more than ${MAX_HEADERS} headers`
  let chars = 0
  for (const text of headers) chars += text.length
  return chars > MAX_HEADER_CHARS ? `has headers of over ${MAX_HEADER_CHARS} characters` : undefined
}

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c

const UNSAFE = /[\0\r\n]/
const UNSAFE_ALL = /[\0\r\n]/g

/**
 * A header name or value safe to store and to write: NUL, CR and LF become spaces (RFC 9110 section 5.5), lone
 * surrogates U+FFFD.
 */
export function cleanHeaderPart(text: string): string {
  const clean = UNSAFE.test(text) ? text.replace(UNSAFE_ALL, ' ') : text
  return clean.isWellFormed() ? clean : clean.toWellFormed()
}

/**
 * Headers from any form that senders use: JSON text of an object or of an array of pairs, such an object or array
 * itself, or a list of `{name, value}` records. Repeats survive, also as repeated keys in JSON text. Undefined when
 * the value is none of these.
 */
export function readHeaders(value: unknown): string[] | undefined {
  if (typeof value === 'string') return readHeaderText(value)
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return readHeaderArray(value)
  if (typeof value === 'object') return readHeaderObject(value as Record<string, unknown>)
  return undefined
}

/**
 * The flat header list of JSON text such as `{"host":"shop.test"}`. The usual form, an object of texts, is read
 * without building the object: it is the hottest step of live ingest, and repeated keys are kept this way.
 */
function readHeaderText(text: string): string[] | undefined {
  if (text === '' || text === '{}') return []
  const plain = readPlainHeaderText(text)
  if (plain !== undefined) return plain
  if (!text.isWellFormed() || text.includes('\0') || text.includes('\n') || text.includes('\r')) {
    return readAnyHeaderText(text)
  }
  if (text.charCodeAt(0) !== 0x7b) return readAnyHeaderText(text)
  const list: string[] = []
  let slash = offsetOrEnd(text, text.indexOf('\\'))
  let at = 1
  let separator = COLON
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) {
      at = skipBlanks(text, at)
      if (text.charCodeAt(at) !== QUOTE) return readAnyHeaderText(text)
    }
    let end = text.indexOf('"', at + 1)
    if (end < 0) return undefined
    if (end < slash) {
      list.push(text.slice(at + 1, end))
    } else {
      end = closingQuote(text, end)
      const value = end < 0 ? undefined : parseOrUndefined(text.slice(at, end + 1))
      if (typeof value !== 'string') return undefined
      list.push(cleanHeaderPart(value))
      slash = offsetOrEnd(text, text.indexOf('\\', end))
    }
    at = end + 1
    if (text.charCodeAt(at) !== separator) {
      at = skipBlanks(text, at)
      if (separator === COMMA && text.charCodeAt(at) === 0x7d) break
      if (text.charCodeAt(at) !== separator) return undefined
    }
    at++
    separator = separator === COLON ? COMMA : COLON
  }
  return skipBlanks(text, at + 1) === text.length ? list : undefined
}

function offsetOrEnd(text: string, offset: number): number {
  return offset < 0 ? text.length : offset
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at++
  return at
}

/** The first quote from `quote` on that no backslash escapes; -1 when there is none. */
function closingQuote(text: string, quote: number): number {
  let end = quote
  while (end > 0) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: every caller treats that as "no headers in this form".
    return undefined
  }
}

function readAnyHeaderText(text: string): string[] | undefined {
  const value = parseOrUndefined(text)
  return typeof value === 'object' ? readHeaders(value) : undefined
}

function readHeaderObject(map: Record<string, unknown>): string[] | undefined {
  const list: string[] = []
  for (const name of Object.keys(map)) {
    const value = map[name]
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = scalarText(one)
      if (text === undefined) return undefined
      list.push(cleanHeaderPart(name), cleanHeaderPart(text))
    }
  }
  return list
}

function readHeaderArray(items: readonly unknown[]): string[] | undefined {
  const list: string[] = []
  for (const item of items) {
    let name: unknown
    let value: unknown
    if (Array.isArray(item)) [name, value] = item
    else if (typeof item === 'object' && item !== null) {
      const record = item as { name?: unknown; key?: unknown; value?: unknown }
      name = record.name ?? record.key
      value = record.value
    }
    const text = scalarText(value)
    if (typeof name !== 'string' || text === undefined) return undefined
    list.push(cleanHeaderPart(name), cleanHeaderPart(text))
  }
  return list
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/**
 * The JSON text of a header list, as sample messages carry it: an object of texts, one value per key. A repeated
 * header becomes a repeated key, which {@link readHeaders} keeps and other readers of JSON reduce to the last.
 */
export function writeHeaderText(headers: readonly string[]): string {
  let text = '{'
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (i > 0) text += ','
    text += `${JSON.stringify(headers[i])}:${JSON.stringify(headers[i + 1])}`
  }
  return `${text}}`
}
