import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Longer bodies pass, and are recorded without content. */
const MAX_BODY_BYTES = 1024 * 1024
const MAX_DECODED_BYTES = 4 * 1024 * 1024

/** Keeps what passes of a body, up to a limit. */
export class BodyCopy {
  #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes <= MAX_BODY_BYTES) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /** The body as a message carries it, decoded; empty when it was too long or its encoding is unknown. */
  payload(contentEncoding: string | undefined): { text: string; encoding: 'base64' | 'text' } {
    const bytes = decoded(Buffer.concat(this.#chunks), contentEncoding)
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes)
      ? { text, encoding: 'text' }
      : { text: bytes.toString('base64'), encoding: 'base64' }
  }
}

function decoded(bytes: Buffer, contentEncoding = ''): Buffer {
  const options = { maxOutputLength: MAX_DECODED_BYTES }
  try {
    switch (contentEncoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return bytes
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options)
      case 'br':
        return brotliDecompressSync(bytes, options)
      case 'deflate':
        return inflateSync(bytes, options)
      default:
        return Buffer.alloc(0)
    }
  } catch {
    // Cut off, or larger than its limit: recorded without content.
    return Buffer.alloc(0)
  }
}
