import { isNoCredential } from './credential-names.ts'

/** `authorization` and a short scheme before a word that stands for nothing are no longer than this. */
const MAX_EMPTY = 32
const SCHEME_ALONE = /^(?:basic|bearer|token|jwt|apikey|digest|negotiate)$/i

/** True for the value of an authorization header that brings nothing: `Bearer`, `Bearer null`, `undefined`. */
export function isEmptyAuthorization(value: string): boolean {
  if (value.length > MAX_EMPTY) return false
  const text = value.trim()
  const blank = text.indexOf(' ')
  return blank < 0 ? isNoCredential(text) || SCHEME_ALONE.test(text) : isNoCredential(text.slice(blank))
}

/** The authentication scheme of a header value in lower case; `raw` when the value is one word. */
export function schemeOf(value: string): string {
  const blank = value.indexOf(' ')
  return blank < 0 ? 'raw' : value.slice(0, blank).toLowerCase()
}

const BLANK = 32

/** True when `value` begins with `scheme` (in lower case, compared without case) and says something after it. */
export function hasScheme(value: string, scheme: string): boolean {
  const size = scheme.length
  if (value.charCodeAt(size) !== BLANK || !beginsWith(value, scheme)) return false
  // What follows begins right behind the blank nearly always: then nothing needs to be cut out.
  const next = value.charCodeAt(size + 1)
  return (next > BLANK && next < 127) || value.slice(size).trim() !== ''
}

function beginsWith(value: string, scheme: string): boolean {
  for (let i = 0; i < scheme.length; i++)
    if ((value.charCodeAt(i) | 32) !== scheme.charCodeAt(i)) return false
  return true
}

/** True when `value` is exactly two words, the first being `scheme` (given in lower case, compared without case). */
export function isScheme(value: string, scheme: string): boolean {
  const size = scheme.length
  if (value.length < size + 2 || value.charCodeAt(size) !== BLANK || !beginsWith(value, scheme)) return false
  const blank = value.indexOf(' ', size + 1)
  return blank < 0 || (blank > size + 1 && value.slice(blank).trim() === '')
}
