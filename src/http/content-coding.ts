import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** Most content codings stacked on one body; more is an attack on the reader. */
const MAX_CODINGS = 3

/** Decoded bytes, or the bytes as they were with the reason why they stayed so. */
interface DecodedContent {
  readonly bytes: Uint8Array
  readonly problem?: string
}

/**
 * Undoes the content codings gzip, deflate, br and zstd (RFC 9110 section 8.4). Bytes that plainly are not coded,
 * because a recorder already decoded them and kept the header, come back as they are.
 * @param contentEncoding value of the content-encoding header, codings in the order applied
 * @param maxBytes limit on the decoded size, against decompression bombs (CWE-409)
 */
export function decodeContent(bytes: Uint8Array, contentEncoding: string, maxBytes: number): DecodedContent {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0 || bytes.length === 0) return { bytes }
  if (codings.length > MAX_CODINGS) return { bytes, problem: `more than ${MAX_CODINGS} content codings` }
  let current = bytes
  for (const coding of codings.reverse()) {
    const decoded = undoOne(current, coding, maxBytes)
    if (decoded.problem !== undefined) return { bytes, problem: decoded.problem }
    current = decoded.bytes
  }
  return { bytes: current }
}

function undoOne(bytes: Uint8Array, coding: string, maxBytes: number): DecodedContent {
  const decode = decoderOf(bytes, coding)
  if (decode === undefined) return { bytes, problem: `unknown content coding ${coding.slice(0, 40)}` }
  if (decode === 'not coded') return { bytes }
  try {
    return { bytes: decode(bytes, { maxOutputLength: Math.max(1, maxBytes) }) }
  } catch (error) {
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    const problem = tooLarge
      ? `the ${coding} body decodes to over ${maxBytes} bytes`
      : `the ${coding} body is broken`
    return { bytes, problem }
  }
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

function decoderOf(bytes: Uint8Array, coding: string): Decode | 'not coded' | undefined {
  const [first = 0, second = 0, third = 0] = bytes
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return first === 0x1f && second === 0x8b ? gunzipSync : 'not coded'
    case 'zstd':
      return first === 0x28 && second === 0xb5 && third === 0x2f ? zstdDecompressSync : 'not coded'
    case 'deflate':
      // The coding means zlib's format (RFC 9110 section 8.4.1.2), but some servers send bare deflate data.
      return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 ? inflateSync : inflateRawSync
    case 'br':
      return looksLikeText(bytes) ? 'not coded' : brotliDecompressSync
    default:
      return undefined
  }
}

/** Brotli has no magic number; text that starts like JSON or markup was decoded by the recorder already. */
function looksLikeText(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return /^[\t\n\r ]*[{["<][\t\n\r -~]*$/.test(head)
}
