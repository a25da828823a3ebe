import type { WindowState } from './window-state.ts'

/** Form of the bytes; another one is another number. */
const FORM = 1
const HEAD = 5
const WORD = 4
const NEVER = -1

/**
 * The bytes of a counter as they are stored: words of 32 bits, little-endian, lengths first; then marks, and a byte
 * for each that says how many steps it is older than the newest bin. Short, so that a row never needs a second place.
 */
export function packWindow({ bins, values, references, firedStep }: WindowState): Buffer {
  const count = values.length / 2
  const words = new Int32Array(HEAD + bins.length + references.length + count)
  words.set([FORM, firedStep ?? NEVER, bins.length, references.length, count])
  words.set(bins, HEAD)
  words.set(references, HEAD + bins.length)
  const marks = HEAD + bins.length + references.length
  const bytes = Buffer.allocUnsafe(words.byteLength + count)
  const newest = newestOf(bins)
  for (let i = 0; i < count; i++) {
    words[marks + i] = values[2 * i]!
    bytes[words.byteLength + i] = newest - values[2 * i + 1]!
  }
  bytes.set(new Uint8Array(words.buffer))
  return bytes
}

/** Reads what {@link packWindow} wrote; no bytes are a counter that has seen nothing. */
export function unpackWindow(bytes: Buffer): WindowState {
  if (bytes.length === 0) return { bins: [], values: [], references: [], firedStep: null }
  const word = (at: number): number => bytes.readInt32LE(at * WORD)
  const list = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => word(from + i))
  const [fired, binCount, referenceCount, valueCount] = [word(1), word(2), word(3), word(4)]
  const bins = list(HEAD, binCount)
  const marks = HEAD + binCount + referenceCount
  const ages = (marks + valueCount) * WORD
  const newest = newestOf(bins)
  const values: number[] = []
  for (let i = 0; i < valueCount; i++) values.push(word(marks + i), newest - bytes[ages + i]!)
  return {
    bins,
    values,
    references: list(HEAD + binCount, referenceCount),
    firedStep: fired === NEVER ? null : fired,
  }
}

function newestOf(bins: readonly number[]): number {
  return bins.length === 0 ? 0 : bins[bins.length - WORD]!
}
