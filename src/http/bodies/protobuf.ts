import type { BodyObject, BodyValue } from './body-value.ts'
import { addRepeatable, emptyObject } from './body-value.ts'

const MAX_DEPTH = 16
const MAX_FIELDS = 5_000
const MAX_FIELD_NUMBER = 536_870_911
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\r\n\t]*$/u

/**
 * Decodes a protobuf message without its schema: keys are `f<number>`, repeats become lists. Of a length-delimited
 * field, printable UTF-8 is taken for text, else bytes that decode fully as a message for one, else its size is reported.
 * Undefined when the bytes are not a message.
 */
export function decodeProtobuf(bytes: Uint8Array): BodyObject | undefined {
  const reader = new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return reader.message(0, bytes.length, 0)
}

class WireReader {
  readonly #bytes: Buffer
  #fields = 0
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  message(from: number, to: number, depth: number): BodyObject | undefined {
    const object = emptyObject()
    this.#at = from
    while (this.#at < to) {
      if (++this.#fields > MAX_FIELDS) return depth === 0 ? object : undefined
      const tag = this.#varint(to)
      const field = tag === undefined ? 0 : Number(tag >> 3n)
      if (tag === undefined || field < 1 || field > MAX_FIELD_NUMBER) return undefined
      const value = this.#value(Number(tag & 7n), to, depth)
      if (value === undefined) return undefined
      addRepeatable(object, `f${field}`, value)
    }
    return object
  }

  #value(wireType: number, to: number, depth: number): BodyValue | undefined {
    switch (wireType) {
      case 0: {
        const number = this.#varint(to)
        return number === undefined ? undefined : plainNumber(number)
      }
      case 1:
        return this.#fixed(8, to, (at) =>
          plausibleDouble(this.#bytes.readDoubleLE(at), this.#bytes.readBigUInt64LE(at)),
        )
      case 2:
        return this.#lengthDelimited(to, depth)
      case 5:
        return this.#fixed(4, to, (at) => this.#bytes.readUInt32LE(at))
      default:
        return undefined
    }
  }

  #fixed(size: number, to: number, read: (at: number) => BodyValue): BodyValue | undefined {
    if (this.#at + size > to) return undefined
    const value = read(this.#at)
    this.#at += size
    return value
  }

  #lengthDelimited(to: number, depth: number): BodyValue | undefined {
    const length = this.#varint(to)
    if (length === undefined || length > BigInt(to - this.#at)) return undefined
    const from = this.#at
    const end = from + Number(length)
    const content = this.#bytes.subarray(from, end)
    const text = content.toString('utf8')
    let value: BodyValue | undefined = !text.includes('\ufffd') && PRINTABLE.test(text) ? text : undefined
    if (value === undefined && depth < MAX_DEPTH) value = this.message(from, end, depth + 1)
    this.#at = end
    return value ?? { bytes: content.length }
  }

  #varint(to: number): bigint | undefined {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= to) return undefined
      const byte = this.#bytes[this.#at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    return undefined
  }
}

function plainNumber(number: bigint): BodyValue {
  const signed = BigInt.asIntN(64, number)
  const plain = Number(signed)
  return Number.isSafeInteger(plain) ? plain : signed.toString()
}

/** Eight fixed bytes are a double when it is of everyday size, else a whole number. */
function plausibleDouble(double: number, whole: bigint): BodyValue {
  const size = Math.abs(double)
  return double === 0 || (size > 1e-9 && size < 1e15) ? double : plainNumber(whole)
}
