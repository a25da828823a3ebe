import { Failure } from '../../kit/index.ts'

/** One field of a message on the wire of Protocol Buffers: a number, or bytes for text and messages. */
interface WireField {
  readonly field: number
  readonly number: number
  readonly bytes: Buffer
}

const NO_BYTES = Buffer.alloc(0)
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/**
 * The fields of a message in their order.
 *
 * @throws Failure INVALID_TRACES where the bytes are not a message
 */
export function* wireFields(message: Buffer): Generator<WireField> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++]
      if (byte === undefined) throw broken()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw broken()
  }
  const take = (length: number): Buffer => {
    if (length > message.length - at) throw broken()
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = varint()
    const field = Math.floor(tag / 8)
    const wire = tag % 8
    if (wire === WIRE.varint) yield { field, number: varint(), bytes: NO_BYTES }
    else if (wire === WIRE.bytes) yield { field, number: 0, bytes: take(varint()) }
    else if (wire === WIRE.fixed64)
      yield { field, number: Number(take(8).readBigUInt64LE()), bytes: NO_BYTES }
    else if (wire === WIRE.fixed32) yield { field, number: take(4).readUInt32LE(), bytes: NO_BYTES }
    else throw broken()
  }
}

function broken(): Failure {
  return new Failure('INVALID_TRACES', { reason: 'it is not a message of Protocol Buffers' })
}
