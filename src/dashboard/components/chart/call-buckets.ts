/** Calls counted in one bar: its first minute since 1970 and the number. */
interface CallBucket {
  readonly minute: number
  readonly count: number
}

const widths = [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440, 2880, 10_080, 43_200]

/**
 * Sums counts per minute into at most `most` bars of equal width, silent minutes included, from `from` to `to`
 * (epoch minutes, both included).
 */
export function callBuckets(
  points: readonly { ts: number; count: number }[],
  from: number,
  to: number,
  most = 96,
): { width: number; buckets: CallBucket[] } {
  const span = Math.max(1, to - from + 1)
  const width = widths.find((candidate) => span / candidate <= most) ?? Math.ceil(span / most)
  const first = Math.floor(from / width)
  const counts = new Array<number>(Math.floor(to / width) - first + 1).fill(0)
  for (const point of points) {
    const at = Math.floor(point.ts / width) - first
    if (at >= 0 && at < counts.length) counts[at] = (counts[at] ?? 0) + point.count
  }
  return { width, buckets: counts.map((count, at) => ({ minute: (first + at) * width, count })) }
}
