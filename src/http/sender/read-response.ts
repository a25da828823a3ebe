import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'
import { Failure } from '../../kit/index.ts'
import { bodyFromBytes } from '../body-text.ts'
import type { HeaderList, ResponseMessage } from '../exchange.ts'
import { headerValue } from '../exchange.ts'

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const
const rawInflate = promisify(inflateRaw)

/** An event stream ends after this silence, or after so long in all. */
const STREAM_SILENCE_MS = 2_000
const STREAM_TOTAL_MS = 20_000

/** What of a body was read. */
export interface ReadBody {
  readonly body: string
  readonly bodyIsBase64: boolean
  readonly isTruncated: boolean
}

/**
 * Reads a body up to the limit and undoes its content coding, bounded as well.
 * @param limit bytes that are kept, before and after decoding
 */
export async function readBody(stream: Readable, headers: HeaderList, limit: number): Promise<ReadBody> {
  const isEvents = /^\s*text\/event-stream/i.test(headerValue(headers, 'content-type') ?? '')
  const { bytes, isCut } = await collect(stream, limit, isEvents)
  const coding = (headerValue(headers, 'content-encoding') ?? '').trim().toLowerCase()
  const decoded =
    coding === '' || coding === 'identity' ? { bytes, isCut } : await decode(bytes, coding, limit, isCut)
  const { body, bodyIsBase64 } = bodyFromBytes(decoded.bytes)
  return { body, bodyIsBase64: bodyIsBase64 ?? false, isTruncated: decoded.isCut }
}

async function collect(
  stream: Readable,
  limit: number,
  isEvents: boolean,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  let isCut = false
  let silence: NodeJS.Timeout | undefined
  const end = (): void => {
    isCut = true
    stream.destroy()
  }
  const total = isEvents ? setTimeout(end, STREAM_TOTAL_MS) : undefined
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= limit) {
        isCut = size > limit
        break
      }
      if (isEvents) {
        clearTimeout(silence)
        silence = setTimeout(end, STREAM_SILENCE_MS)
      }
    }
  } catch (error) {
    if (!isCut) throw error
  } finally {
    clearTimeout(silence)
    clearTimeout(total)
    stream.destroy()
  }
  return { bytes: Buffer.concat(parts).subarray(0, limit), isCut }
}

/** A body that cannot be decoded is kept as it came: that an answer is broken is a finding of its own. */
async function decode(
  bytes: Buffer,
  coding: string,
  limit: number,
  isCut: boolean,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const decoder = DECODERS[coding as keyof typeof DECODERS]
  if (decoder === undefined || bytes.length === 0) return { bytes, isCut }
  try {
    return { bytes: await decoder(bytes, { maxOutputLength: limit }), isCut }
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Failure('TARGET_BROKE_PROTOCOL', { reason: `the ${coding} body grows beyond ${limit} bytes` })
    if (coding !== 'deflate') return { bytes, isCut }
    return rawInflate(bytes, { maxOutputLength: limit }).then(
      (raw) => ({ bytes: raw, isCut }),
      () => ({ bytes, isCut }),
    )
  }
}

/** An answer as tests see it. */
export function responseOf(status: number, headers: HeaderList, read: ReadBody): ResponseMessage {
  return {
    status,
    reason: '',
    headers,
    body: read.body,
    ...(read.bodyIsBase64 ? { bodyIsBase64: true } : {}),
  }
}
