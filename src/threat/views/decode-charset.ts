import { remembered } from '../../kit/index.ts'

/** Content types that are remembered. */
const MAX_REMEMBERED = 256
const CHARSET = /charset\s*=\s*"?\s*([A-Za-z0-9_.:-]{1,40})/gi
const UTF7_RUN = /\+([A-Za-z0-9+/]*)-?/g

/** EBCDIC of code page 37 as the characters of its 256 bytes, those without a graphic as spaces. */
const EBCDIC = ebcdicTable()

/**
 * A body in the charset that its content type declares, where that is a way to hide ASCII from a reader who takes it for
 * UTF-8: UTF-7 and EBCDIC. Of several charsets the first of these counts. Bytes of other charsets are read as UTF-8.
 */
export function decodeCharset(body: string | Buffer, contentType: string): string {
  switch (hidingCharset(contentType)) {
    case 'UTF-7':
      return decodeUtf7(textOf(body))
    case 'EBCDIC':
      return decodeEbcdic(typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
    default:
      return textOf(body)
  }
}

/** A charset that hides ASCII, by the content type that declares it; null for every other. */
export const hidingCharset = remembered((contentType: string): 'UTF-7' | 'EBCDIC' | null => {
  const charsets = /charset/i.test(contentType) ? declared(contentType) : []
  if (charsets.some((name) => /^(?:x-)?(?:unicode-1-1-)?utf-?7/.test(name))) return 'UTF-7'
  return charsets.some((name) => /^(?:ibm|cp|csibm|ebcdic-cp-us)-?0?37|^ibm(?:500|1047)/.test(name))
    ? 'EBCDIC'
    : null
}, MAX_REMEMBERED)

function declared(contentType: string): string[] {
  return [...contentType.slice(0, 1_024).matchAll(CHARSET)].map(([, name]) => name!.toLowerCase())
}

function textOf(body: string | Buffer): string {
  return typeof body === 'string' ? body : body.toString('utf8')
}

/** RFC 2152. */
function decodeUtf7(text: string): string {
  return text.replace(UTF7_RUN, (run, coded: string) => {
    if (coded === '') return run === '+-' ? '+' : run
    const bytes = Buffer.from(coded, 'base64')
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le')
  })
}

function decodeEbcdic(bytes: Buffer): string {
  const chars = new Array<string>(bytes.length)
  for (let i = 0; i < bytes.length; i++) chars[i] = EBCDIC[bytes[i]!]!
  return chars.join('')
}

function ebcdicTable(): readonly string[] {
  const table = new Array<string>(256).fill(' ')
  const runs: readonly (readonly [first: number, chars: string])[] = [
    [0x4b, '.<(+|&'],
    [0x5a, '!$*);^-/'],
    [0x6b, ',%_>?'],
    [0x79, '`:#@\'="'],
    [0x81, 'abcdefghi'],
    [0x91, 'jklmnopqr'],
    [0xa1, '~stuvwxyz'],
    [0xc0, '{ABCDEFGHI'],
    [0xd0, '}JKLMNOPQR'],
    [0xe0, '\\'],
    [0xe2, 'STUVWXYZ'],
    [0xf0, '0123456789'],
  ]
  for (const [first, chars] of runs) for (let i = 0; i < chars.length; i++) table[first + i] = chars[i]!
  table[0xba] = '['
  table[0xbb] = ']'
  table[0x15] = '\n'
  table[0x25] = '\n'
  return table
}
