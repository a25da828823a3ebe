import { inflateRawSync } from 'node:zlib'

/** Bytes that one file may unpack to; a trace holds many large pictures, which nobody asks for. */
const MAX_FILE = 64 * 1024 * 1024
const MAX_FILES = 10_000
const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
/** Longest comment of an archive, and the fixed part of the record before it (APPNOTE 4.3.16). */
const MAX_TAIL = 65_535 + 22
const STORED = 0
const DEFLATED = 8

/**
 * Texts of files in a ZIP archive.
 *
 * @param wanted tells by its name whether a file is read
 * @returns null when it is not an archive that can be read
 */
export function textsInZip(archive: Buffer, wanted: (name: string) => boolean): string[] | null {
  const tail = archive.subarray(Math.max(0, archive.length - MAX_TAIL))
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(END_OF_DIRECTORY)
  const end = tail.lastIndexOf(signature)
  if (end < 0 || end + 22 > tail.length) return null
  const texts: string[] = []
  try {
    let at = tail.readUInt32LE(end + 16)
    const count = Math.min(tail.readUInt16LE(end + 10), MAX_FILES)
    for (let i = 0; i < count; i++) {
      if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) return null
      const method = archive.readUInt16LE(at + 10)
      const size = archive.readUInt32LE(at + 20)
      const nameLength = archive.readUInt16LE(at + 28)
      const others = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
      const local = archive.readUInt32LE(at + 42)
      const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
      at += 46 + nameLength + others
      if (!wanted(name)) continue
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      const packed = archive.subarray(begin, begin + size)
      if (method === STORED) texts.push(packed.toString('utf8'))
      else if (method === DEFLATED)
        texts.push(inflateRawSync(packed, { maxOutputLength: MAX_FILE }).toString('utf8'))
    }
  } catch {
    // Cut, or larger than anything a person recorded.
    return null
  }
  return texts
}
