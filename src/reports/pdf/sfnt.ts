import { inflateSync } from 'node:zlib'

const SIGNATURE = 0x774f4646
const HEADER = 44
const ENTRY = 20
/** Largest table of a font; the largest bundled one has 8 MB. */
const MAX_TABLE = 64 * 1024 * 1024

/**
 * Unpacks a WOFF file (W3C WOFF 1.0) into the TrueType font inside. The font library could read it as it is, but
 * inflates on its own, which takes a hundred times as long for a large font.
 *
 * @throws Error when it is not a WOFF file
 */
export function sfntOfWoff(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== SIGNATURE) throw new Error('no WOFF font')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_none, index) => readTable(woff, HEADER + index * ENTRY))
  const power = 2 ** Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  tables.forEach(({ tag, checksum, bytes }, index) => {
    const at = 12 + index * 16
    head.writeUInt32BE(tag, at)
    head.writeUInt32BE(checksum, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(bytes.length, at + 12)
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  })
  return Buffer.concat(parts)
}

function readTable(woff: Buffer, at: number): { tag: number; checksum: number; bytes: Buffer } {
  const offset = woff.readUInt32BE(at + 4)
  const packed = woff.readUInt32BE(at + 8)
  const size = woff.readUInt32BE(at + 12)
  const stored = woff.subarray(offset, offset + packed)
  return {
    tag: woff.readUInt32BE(at),
    checksum: woff.readUInt32BE(at + 16),
    bytes: packed < size ? inflateSync(stored, { maxOutputLength: MAX_TABLE }) : stored,
  }
}
