import type { BodyText } from '../http/index.ts'
import { bodyFromBytes, bodyFromText } from '../http/index.ts'
import { nowSeconds } from '../kit/index.ts'
import type { ImportOptions } from './importer.ts'

/** Longest body that is kept, in bytes or characters; the exchange of a longer one is taken without it. */
export const MAX_BODY = 5_242_880

const BASE64 = /^[A-Za-z0-9+/_=\s-]*$/

/**
 * A body as recorders store it: text, or base64 with `encoding` saying so. `notes` learns what was changed; a body
 * over {@link MAX_BODY} is left out.
 */
export function importedBody(
  value: unknown,
  encoding: unknown,
  contentType: string | undefined,
  side: 'request' | 'response',
  notes: string[],
): BodyText {
  if (value === undefined || value === null || value === '') return { body: '' }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length > MAX_BODY * (encoding === 'base64' ? 1.4 : 1)) {
    notes.push(`the ${side} body of ${text.length} characters is left out, the limit is ${MAX_BODY}`)
    return { body: '' }
  }
  if (encoding === 'base64') {
    if (BASE64.test(text)) return bodyFromBytes(Buffer.from(text, 'base64'), contentType)
    notes.push(`the ${side} body is marked base64 but is none; taken as text`)
  }
  return bodyFromText(text)
}

/**
 * Epoch seconds of a date text (ISO 8601 and what `Date` reads besides); the import's own time, with a note, when it
 * is unreadable or outside 1970 to 2038.
 */
export function importedTime(value: unknown, options: ImportOptions, notes: string[]): number {
  const fallback = options.at ?? nowSeconds()
  if (value === undefined || value === null || value === '') return fallback
  const ms = typeof value === 'string' && value.length <= 64 ? parseDate(value) : Number.NaN
  const seconds = Math.floor(ms / 1000)
  if (seconds > 0 && seconds <= 0x7fffffff) return seconds
  notes.push('its time is unreadable; the time of the import is used')
  return fallback
}

/**
 * Dates with a zone's letters ("Sat Jan 31 10:00:00 CET 2026", as Burp writes them) are read as UTC where `Date` does
 * not know the letters, which is at most half a day off.
 */
function parseDate(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? Date.parse(text.replace(/ [A-Z]{2,5} (?=\d{4}$)/, ' UTC ')) : ms
}

/** An address without the brackets of IPv6; '' for anything else. */
export function importedAddress(value: unknown): string {
  if (typeof value !== 'string') return ''
  const address = value.trim().replace(/^\[(.*)\]$/, '$1')
  return /^[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9]{1,16})?$/.test(address) ? address : ''
}
