/** Bytes that one number can take: seven bits a byte, 53 bits. */
const MAX_BYTES = 8
/** Numbers of one entry: id, count, epoch second. */
const PER_ENTRY = 3
const MORE = 0x80
const LOW = 0x7f

/**
 * Packs entries of id, count and epoch second, as one flat list, into Base64: each id and second as its difference
 * from the one before, all in bytes of seven bits. Facts of an endpoint have ids that follow each other and were seen
 * in the same second, so an entry takes three bytes where its decimal digits take some twenty.
 */
export function packCounts(entries: readonly number[]): string {
  const bytes = new Uint8Array(entries.length * MAX_BYTES)
  let at = 0
  let id = 0
  let second = 0
  for (let i = 0; i < entries.length; i += PER_ENTRY) {
    at = write(bytes, at, folded(entries[i]! - id))
    at = write(bytes, at, entries[i + 1]!)
    at = write(bytes, at, folded(entries[i + 2]! - second))
    id = entries[i]!
    second = entries[i + 2]!
  }
  return Buffer.from(bytes.buffer, 0, at).toString('base64')
}

/** The flat list that {@link packCounts} was given. */
export function unpackCounts(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  const entries: number[] = []
  const latest = [0, 0, 0]
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & LOW) * scale
    scale *= MORE
    if (byte & MORE) continue
    const column = entries.length % PER_ENTRY
    latest[column] = column === 1 ? value : latest[column]! + unfolded(value)
    entries.push(latest[column]!)
    value = 0
    scale = 1
  }
  return entries
}

function write(bytes: Uint8Array, from: number, number: number): number {
  let at = from
  let rest = number
  while (rest >= MORE) {
    // By arithmetic, because ids may need more than the 32 bits of the bit operations.
    bytes[at++] = (rest % MORE) | MORE
    rest = Math.floor(rest / MORE)
  }
  bytes[at++] = rest
  return at
}

/** Small negative differences as small numbers too: 0, -1, 1, -2 … as 0, 1, 2, 3 … */
function folded(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference
}

function unfolded(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2
}
