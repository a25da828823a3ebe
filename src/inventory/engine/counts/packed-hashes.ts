/** 64-bit hash as two 32-bit halves; `[0, 0]` stands for an empty slot and never occurs. */
export interface MessageHash {
  readonly high: number
  readonly low: number
}

/** Packs hashes for the store: eight bytes each, little-endian halves. */
export function packHashes(hashes: readonly MessageHash[]): Buffer {
  const words = new Int32Array(hashes.length * 2)
  for (let i = 0; i < hashes.length; i++) {
    words[2 * i] = hashes[i]!.high
    words[2 * i + 1] = hashes[i]!.low
  }
  return Buffer.from(words.buffer)
}

/** Reads what {@link packHashes} wrote. */
export function unpackHashes(bytes: Buffer): MessageHash[] {
  const hashes: MessageHash[] = []
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    hashes.push({ high: bytes.readInt32LE(at), low: bytes.readInt32LE(at + 4) })
  }
  return hashes
}
