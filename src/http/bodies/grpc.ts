import type { BodyLimits, BodyValue } from './body-value.ts'
import { decodeContentEncoding } from './content-encoding.ts'
import { decodeProtobuf } from './protobuf.ts'

const FRAME_HEADER = 5
const COMPRESSED = 1
const TRAILERS = 0x80

/**
 * Messages of a gRPC body: frames of one flag byte, four length bytes and the message. One message is returned bare,
 * several as a list. Trailer frames (gRPC-Web) are left out. Undefined when the bytes are not framed.
 */
export function parseGrpc(
  bytes: Buffer,
  limits: BodyLimits,
): { value: BodyValue; isTruncated: boolean } | undefined {
  const messages: BodyValue[] = []
  let at = 0
  let isTruncated = false
  while (at + FRAME_HEADER <= bytes.length) {
    const flags = bytes[at]!
    const length = bytes.readUInt32BE(at + 1)
    if ((flags & ~(COMPRESSED | TRAILERS)) !== 0) return undefined
    const end = at + FRAME_HEADER + length
    if (end > bytes.length || messages.length >= limits.maxElements) {
      isTruncated = true
      break
    }
    if ((flags & TRAILERS) === 0)
      messages.push(messageOf(bytes.subarray(at + FRAME_HEADER, end), flags, limits))
    at = end
  }
  if (messages.length === 0) return undefined
  return {
    value: messages.length === 1 ? messages[0]! : messages,
    isTruncated: isTruncated || at < bytes.length,
  }
}

/** `grpc-encoding` is nearly always gzip; anything else stays a size. */
function messageOf(frame: Buffer, flags: number, limits: BodyLimits): BodyValue {
  if ((flags & COMPRESSED) === 0) return decodeProtobuf(frame) ?? { bytes: frame.length }
  const { bytes, outcome } = decodeContentEncoding(frame, 'gzip', limits.maxDecodedBytes)
  return (outcome === 'OK' ? decodeProtobuf(bytes) : undefined) ?? { bytes: frame.length }
}
