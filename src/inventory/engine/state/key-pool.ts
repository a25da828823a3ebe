/** Bytes of key texts kept for comparison, and the longest key among them. */
const POOL_BYTES = 1_048_576
const LONGEST_KEY = 255
const UNUSABLE = /["\\]/

const pool = Buffer.alloc(POOL_BYTES)
const offsets = new Map<string, number>()
let used = 0

/**
 * Where the UTF-8 bytes of a key lie in {@link keyBytes}, behind one byte with their number; -1 when the pool is full
 * or the key stands in JSON in another form. Equal keys share one place, however many endpoints have them.
 */
export function placeOfKey(key: string): number {
  const known = offsets.get(key)
  if (known !== undefined) return known
  const length = Buffer.byteLength(key)
  if (length > LONGEST_KEY || used + length >= POOL_BYTES || UNUSABLE.test(key)) return -1
  const place = used
  pool[place] = length
  pool.write(key, place + 1)
  used += length + 1
  offsets.set(key, place)
  return place
}

/** The bytes of all keys. */
export const keyBytes = new Uint8Array(pool.buffer, pool.byteOffset, POOL_BYTES)
