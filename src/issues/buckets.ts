const DAY = 86_400

/** Length of the buckets of a chart; weeks are ISO weeks (from Monday), all in UTC. */
export type BucketLength = 'day' | 'week' | 'month'

/** Days up to 30 days, weeks up to 210 days, else months. */
export function bucketLengthFor(from: number, to: number): BucketLength {
  const days = (to - from) / DAY
  if (days <= 30) return 'day'
  return days <= 210 ? 'week' : 'month'
}

/** Start of the day in UTC. */
export function startOfDay(at: number): number {
  return at - (((at % DAY) + DAY) % DAY)
}

/** Start of the bucket that a moment lies in. */
export function bucketStart(at: number, length: BucketLength): number {
  const day = startOfDay(at)
  if (length === 'day') return day
  // 1970-01-01 was a Thursday, the fourth day of its ISO week.
  if (length === 'week') return day - ((((day / DAY + 3) % 7) + 7) % 7) * DAY
  const date = new Date(day * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}

/** Starts of all buckets from that of `from` to that of `to`, both included. */
export function bucketStarts(from: number, to: number, length: BucketLength): number[] {
  const starts: number[] = []
  const last = bucketStart(to, length)
  for (let at = bucketStart(from, length); at <= last; at = nextBucket(at, length)) starts.push(at)
  return starts
}

function nextBucket(start: number, length: BucketLength): number {
  if (length === 'day') return start + DAY
  if (length === 'week') return start + 7 * DAY
  const date = new Date(start * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}

/** How the keys of a trend count. */
export type TrendKey = 'dayOfYear' | 'weekOfYear' | 'monthOfYear'

/** Days up to 15 days, weeks up to 105 days, else months. */
export function trendKeyFor(from: number, to: number): TrendKey {
  const days = (to - from) / DAY
  if (days <= 15) return 'dayOfYear'
  return days <= 105 ? 'weekOfYear' : 'monthOfYear'
}
