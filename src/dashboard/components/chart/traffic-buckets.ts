import type { ResponseOf } from '../../../contract/browser.ts'

/** Calls of one length of time. */
export type TrafficBucket = ResponseOf<'fetchEndpointTraffic'>['traffic'][number]['buckets'][number]

/** A time in epoch seconds, both ends included, and the minutes of each of its lengths. */
export interface TrafficRange {
  readonly from: number
  readonly to: number
  readonly minutes: number
}

/** Calls of a bucket, however they were answered. */
export function callsOf({ success, redirects, clientErrors, serverErrors, other }: TrafficBucket): number {
  return success + redirects + clientErrors + serverErrors + other
}

const silent = { success: 0, redirects: 0, clientErrors: 0, serverErrors: 0, other: 0, callers: 0 }

/** One bucket for every length of a range, silent ones included. */
export function everyTrafficBucket(
  buckets: readonly TrafficBucket[],
  { from, to, minutes }: TrafficRange,
): TrafficBucket[] {
  const width = minutes * 60
  const known = new Map(buckets.map((bucket) => [bucket.start, bucket]))
  const all: TrafficBucket[] = []
  for (let start = Math.floor(from / width) * width; start <= to; start += width)
    all.push(known.get(start) ?? { start, ...silent })
  return all
}
