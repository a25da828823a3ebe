import { base62Crc32 } from './checksums.ts'
import { ANY_UPPER, charClasses, DIGIT, entropyPerChar, UPPER } from './value-signature.ts'

/**
 * True when a secret's body looks drawn at random: not a row of one character, not `xxxx…`, not a masked value.
 * A random text of n characters has close to log2(n) bits a character at these lengths; half of it is the border.
 */
export function looksRandom(body: string): boolean {
  return entropyPerChar(body) >= Math.min(3, Math.log2(Math.max(2, body.length)) * 0.6)
}

/** True when every character of `text` is of one of the given classes (bits of `value-signature.ts`). */
export function isMadeOf(text: string, classes: number): boolean {
  return (charClasses(text) & ~classes) === 0
}

/** What follows a provider's prefix. */
interface TokenBody {
  /** Character classes allowed. */
  readonly chars: number
  readonly length: readonly [min: number, max: number]
}

/** Confidence that `value` is `prefix` and a random body of the given shape: 95 or 0. */
export function prefixedToken(value: string, prefix: string, body: TokenBody): number {
  const rest = value.slice(prefix.length)
  const [min, max] = body.length
  if (rest.length < min || rest.length > max || !isMadeOf(rest, body.chars)) return 0
  return looksRandom(rest) && !isWords(rest, body.chars) ? 95 : 0
}

/** Small letters and dashes only, where capital letters and digits are allowed: words, not chance. */
function isWords(text: string, allowed: number): boolean {
  return (allowed & UPPER) !== 0 && (charClasses(text) & (DIGIT | ANY_UPPER)) === 0
}

/** True when the last six characters of `token` are the base62 CRC-32 of what stands between them and the prefix. */
export function hasBase62Crc(token: string, prefixLength: number): boolean {
  return token.endsWith(base62Crc32(token.slice(prefixLength, -6)))
}

/** The text with a correct base62 CRC-32 at its end; for the examples of token types. */
export function withBase62Crc(prefix: string, body: string): string {
  return prefix + body + base62Crc32(body)
}

/** Host of an absolute URL or the text itself when it is a bare host; lower case, without port; '' when neither. */
export function hostOf(value: string): string {
  const scheme = value.indexOf('://')
  const from = scheme < 0 ? 0 : scheme + 3
  let end = from
  while (end < value.length && !'/?#:'.includes(value[end]!)) end++
  const authority = value.slice(from, end)
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
}
