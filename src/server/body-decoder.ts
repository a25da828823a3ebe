import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Failure } from '../kit/index.ts'

/** Bytes of one decoded piece. */
const PIECE_BYTES = 256 * 1024

/** Content codings a request body may have, as the header Accept-Encoding of a refusal names them. */
export const acceptedCodings = 'gzip, deflate, br, zstd'

/**
 * The stream that undoes a content coding (RFC 9110, section 8.4.1), working off the main thread; null for a plain body.
 *
 * @throws Failure UNSUPPORTED_ENCODING for other codings, and for several on one body
 */
export function decoderOf(contentEncoding: string | undefined): Transform | null {
  switch ((contentEncoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: PIECE_BYTES })
    case 'deflate':
      return createInflate({ chunkSize: PIECE_BYTES })
    case 'br':
      return createBrotliDecompress({ chunkSize: PIECE_BYTES })
    case 'zstd':
      return createZstdDecompress({ chunkSize: PIECE_BYTES })
    default:
      throw new Failure('UNSUPPORTED_ENCODING')
  }
}
