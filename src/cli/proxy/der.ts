/** Writes DER (ITU-T X.690), as far as certificates need it. */

const SEQUENCE = 0x30
const SET = 0x31
const LONG_FORM = 0x80

/** One value: its tag, its length, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < LONG_FORM) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, LONG_FORM | length.length]), length, body])
}

export function sequence(...content: readonly Uint8Array[]): Buffer {
  return der(SEQUENCE, ...content)
}

export function set(...content: readonly Uint8Array[]): Buffer {
  return der(SET, ...content)
}

/** A positive integer from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80
  return der(0x02, isNegative ? Buffer.from([0]) : Buffer.alloc(0), bytes)
}

export function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]))
}

export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text))
}

export function octets(...content: readonly Uint8Array[]): Buffer {
  return der(0x04, ...content)
}

/** @param unusedBits of the last byte */
export function bits(content: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), content)
}

/** A tag of the context, for optional and chosen fields. */
export function tagged(number: number, isConstructed: boolean, ...content: readonly Uint8Array[]): Buffer {
  return der((isConstructed ? 0xa0 : LONG_FORM) | number, ...content)
}

/** An object identifier such as `2.5.29.17`. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 0x7f]
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}

/** A time of certificates: two digits of the year until 2049, four afterwards. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
