import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** More layers than this are refused: each is another chance for a bomb. */
const MAX_LAYERS = 3

interface DecodedBytes {
  readonly bytes: Buffer
  /** OK: all layers undone. MALFORMED or TOO_LARGE: `bytes` are those before the layer that failed. UNKNOWN: a coding not known. */
  readonly outcome: 'OK' | 'MALFORMED' | 'TOO_LARGE' | 'UNKNOWN'
}

/**
 * Undoes the content codings of a body (RFC 9110 section 8.4.1: gzip, deflate, br, zstd, in the order they were applied).
 * Output is bounded by `maxBytes` while it is made, so a small body cannot become a large one (CWE-409).
 */
export function decodeContentEncoding(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
): DecodedBytes {
  const codings = contentEncoding
    .split(',', MAX_LAYERS + 1)
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_LAYERS) return { bytes, outcome: 'UNKNOWN' }
  let current = bytes
  for (const coding of codings.reverse()) {
    const decode = decoderOf(coding, current)
    if (decode === undefined) return { bytes: current, outcome: 'UNKNOWN' }
    try {
      current = decode(maxBytes)
    } catch (error) {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      return { bytes: current, outcome: isTooLarge ? 'TOO_LARGE' : 'MALFORMED' }
    }
  }
  return { bytes: current, outcome: 'OK' }
}

function decoderOf(coding: string, bytes: Buffer): ((maxOutputLength: number) => Buffer) | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return (maxOutputLength) => gunzipSync(bytes, { maxOutputLength })
    case 'deflate':
      // Some servers send the raw form; the zlib form begins with a header whose low bits are 8.
      return (maxOutputLength) =>
        ((bytes[0] ?? 0) & 15) === 8
          ? inflateSync(bytes, { maxOutputLength })
          : inflateRawSync(bytes, { maxOutputLength })
    case 'br':
      return (maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength })
    case 'zstd':
      return (maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength })
    default:
      return undefined
  }
}
