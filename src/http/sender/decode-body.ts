import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** More codings than this on one body are left undone: each is another chance for a bomb. */
const MAX_CODINGS = 3
const CHUNK = 64 * 1024

/** A body freed of its content codings. */
interface DecodedBody {
  readonly bytes: Buffer
  /** More would have come than the limit allows. */
  readonly isCut: boolean
}

/**
 * Undoes the content codings of an answer (RFC 9110 section 8.4). The output ends at the limit while it is made, so a
 * small body cannot become a large one (CWE-409). Input that was cut gives what can be read of it; a body that is not
 * coded as it says is kept as it came, since that is worth seeing.
 */
export async function decodeBody(
  bytes: Buffer,
  contentEncoding: string,
  limit: number,
): Promise<DecodedBody> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',', MAX_CODINGS + 1)
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  let current: DecodedBody = { bytes, isCut: false }
  if (codings.length > MAX_CODINGS || bytes.length === 0) return current
  for (const coding of codings.reverse()) {
    const decoder = decoderOf(coding, current.bytes)
    const decoded = decoder === null ? null : await runBounded(decoder, current.bytes, limit)
    if (decoded === null) return { bytes, isCut: false }
    current = { bytes: decoded.bytes, isCut: current.isCut || decoded.isCut }
  }
  return current
}

function decoderOf(coding: string, bytes: Buffer): Transform | null {
  const options = { chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(options)
    case 'deflate':
      // Some servers send the bare form; the zlib form begins with a header whose low bits are 8.
      return ((bytes[0] ?? 0) & 15) === 8 ? createInflate(options) : createInflateRaw(options)
    case 'br':
      return createBrotliDecompress({ chunkSize: CHUNK, finishFlush: constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return createZstdDecompress({ chunkSize: CHUNK, finishFlush: constants.ZSTD_e_flush })
    default:
      return null
  }
}

/** Null when nothing could be decoded. */
function runBounded(decoder: Transform, bytes: Buffer, limit: number): Promise<DecodedBody | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const finish = (isCut: boolean): void => {
      decoder.destroy()
      resolve({ bytes: Buffer.concat(parts).subarray(0, limit), isCut })
    }
    decoder.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size > limit) finish(true)
    })
    decoder.once('end', () => finish(false))
    decoder.on('error', () => {
      if (size === 0) resolve(null)
      else finish(true)
    })
    decoder.end(bytes)
  })
}
