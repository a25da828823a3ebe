import { isUtf8 } from 'node:buffer'

/** A body as an exchange carries it: text, or base64 when the bytes are not text. */
export interface BodyText {
  readonly body: string
  readonly bodyIsBase64?: boolean
}

const NO_BODY: BodyText = { body: '' }
const CHARSET = /;[ \t]*charset=[ \t]*"?([A-Za-z0-9_.:+-]{1,40})/i

/**
 * Bytes of a body as text where they are text. UTF-8 first, then the charset that the content type names; bytes
 * that fit neither, or hold a NUL, become base64, so that nothing is lost.
 */
export function bodyFromBytes(bytes: Uint8Array, contentType = ''): BodyText {
  if (bytes.length === 0) return NO_BODY
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? ''
  const text = /^utf-?16/.test(charset) || !isUtf8(bytes) ? decodeAs(charset, bytes) : buffer.toString('utf8')
  if (text === undefined || text.includes('\0'))
    return { body: buffer.toString('base64'), bodyIsBase64: true }
  return { body: text }
}

function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  if (charset === '') return undefined
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    // An unknown charset name or bytes outside it: the caller keeps the bytes as base64 instead.
    return undefined
  }
}

/** Text of a body that arrived as text. A NUL makes it base64; lone surrogates become U+FFFD. */
export function bodyFromText(text: string): BodyText {
  if (text === '') return NO_BODY
  if (text.includes('\0')) return { body: Buffer.from(text, 'utf8').toString('base64'), bodyIsBase64: true }
  return { body: text.isWellFormed() ? text : text.toWellFormed() }
}

/** The bytes of a body; text is encoded as UTF-8. */
export function bodyBytes(message: BodyText): Buffer {
  return Buffer.from(message.body, message.bodyIsBase64 ? 'base64' : 'utf8')
}
