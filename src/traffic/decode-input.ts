import { constants, isUtf8 } from 'node:buffer'
import { linePosition } from '../http/index.ts'
import { Failure } from '../kit/index.ts'

/** Largest input in bytes: no longer text can exist. What people may send is limited before (VIGIL_MAX_IMPORT_BYTES). */
const MAX_INPUT_BYTES = constants.MAX_STRING_LENGTH

interface DecodedInput {
  readonly text: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly warnings: readonly { where: string; reason: string }[]
}

const SIGNATURES: readonly [bytes: string, kind: string][] = [
  ['504b0304', 'a ZIP archive'],
  ['504b0506', 'an empty ZIP archive'],
  ['1f8b', 'gzip data'],
  ['28b52ffd', 'zstd data'],
  ['425a68', 'bzip2 data'],
  ['fd377a585a', 'xz data'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['d4c3b2a1', 'a packet capture'],
  ['a1b2c3d4', 'a packet capture'],
  ['0a0d0d0a', 'a packet capture'],
  ['53514c69746520666f726d6174', 'an SQLite database'],
  ['255044462d', 'a PDF document'],
  ['89504e47', 'an image'],
  ['ffd8ff', 'an image'],
]

/**
 * Text of an imported file: UTF-8, or UTF-16 with a byte order mark or recognisable by its zero bytes. Bytes that are
 * not valid become U+FFFD with a warning that names the first line concerned.
 *
 * @param mayBeEmpty for formats in which a file without text says that there is nothing
 * @throws Failure IMPORT_EMPTY, IMPORT_TOO_LARGE, IMPORT_NO_TEXT.
 */
export function decodeInput(input: Uint8Array | string, mayBeEmpty = false): DecodedInput {
  if (input.length > MAX_INPUT_BYTES) {
    throw new Failure('IMPORT_TOO_LARGE', { format: 'File', size: input.length, limit: MAX_INPUT_BYTES })
  }
  const head =
    typeof input === 'string' ? Buffer.from(input.slice(0, 64), 'latin1') : Buffer.from(input.subarray(0, 64))
  refuseKnownBinary(head)
  const decoded = typeof input === 'string' ? decodedText(input) : decodeBytes(input, head)
  if (!mayBeEmpty && !/\S/.test(decoded.text)) throw new Failure('IMPORT_EMPTY')
  if (decoded.text.slice(0, 64).includes('\0')) {
    throw new Failure('IMPORT_NO_TEXT', { kind: 'binary data' })
  }
  return decoded
}

function decodedText(text: string): DecodedInput {
  return { text: withoutMark(text), encoding: 'utf-8', warnings: [] }
}

function refuseKnownBinary(head: Buffer): void {
  const hex = head.toString('hex')
  for (const [bytes, kind] of SIGNATURES) {
    if (hex.startsWith(bytes)) throw new Failure('IMPORT_NO_TEXT', { kind })
  }
}

function decodeBytes(bytes: Uint8Array, head: Buffer): DecodedInput {
  const wide = wideEncoding(head)
  if (wide !== undefined) {
    const text = new TextDecoder(wide).decode(bytes)
    return { text, encoding: wide, warnings: replaced(text, wide) }
  }
  const text = withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  return { text, encoding: 'utf-8', warnings: isUtf8(bytes) ? [] : replaced(text, 'utf-8') }
}

/** UTF-16 by its byte order mark, or by the zero bytes that ASCII text has in it. */
function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head.length < 4) return undefined
  if (head[0] !== 0 && head[1] === 0 && head[2] !== 0 && head[3] === 0) return 'utf-16le'
  if (head[0] === 0 && head[1] !== 0 && head[2] === 0 && head[3] !== 0) return 'utf-16be'
  return undefined
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function replaced(text: string, encoding: string): { where: string; reason: string }[] {
  const first = text.indexOf('\ufffd')
  if (first < 0) return []
  const where = `line ${linePosition(text, first).line}`
  return [{ where, reason: `from here on some bytes are not valid ${encoding} and were replaced` }]
}
