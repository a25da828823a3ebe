import { Failure } from '../kit/index.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body (RFC 8259). Depth is checked on the bytes, before anything is built from them.
 *
 * @returns the value; undefined for an empty body
 * @throws Failure INVALID_JSON_BODY, TOO_DEEP
 */
export function parseJsonBody(bytes: Uint8Array, maxDepth: number): unknown {
  if (bytes.length === 0) return undefined
  if (isDeeperThan(bytes, maxDepth)) throw new Failure('TOO_DEEP', { limit: maxDepth })
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw new Failure('INVALID_JSON_BODY', {}, { cause: error })
  }
}

/** Whether brackets outside of strings nest deeper than `limit`. One pass; broken JSON may give either answer. */
export function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > limit) return true
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
    }
  }
  return false
}

/** Position of the quotation mark that closes the string opened at `start`, or the end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let close = bytes.indexOf(QUOTE, start + 1)
  while (close >= 0 && isEscaped(bytes, close)) close = bytes.indexOf(QUOTE, close + 1)
  return close < 0 ? bytes.length : close
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let backslashes = 0
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
