import { useMemo } from 'react'
import type { ResponseOf, ThreatBucket } from '../../../contract/browser.ts'
import { shownZone } from '../../data/time-zone.ts'
import { countOf, countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { exactTime } from '../time-ago.tsx'
import { BarChart } from './bar-chart.tsx'
import { everyBucket, nextBucket, sumOf } from './threat-buckets.ts'

const inks = ['low', 'medium', 'high', 'critical'] as const
const minute = new Intl.DateTimeFormat(dateLocale, {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shownZone,
})
const hour = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shownZone,
})
// Days and what is longer are counted in UTC.
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(dateLocale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const names: Readonly<Record<ThreatBucket, Intl.DateTimeFormat>> = {
  MINUTE: minute,
  HOUR: hour,
  DAY: day,
  WEEK: day,
  MONTH: month,
}

/** Lengths of a bucket, for people. */
export const bucketWords: Readonly<Record<ThreatBucket, string>> = {
  MINUTE: 'minute',
  HOUR: 'hour',
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
}

interface ThreatChartProps {
  readonly timeline: ResponseOf<'fetchThreatTimeline'>
  readonly height?: number
  /** What is counted, for the table twin. */
  readonly label: string
  /** The query of the list of events behind the chart, without its time: `actor=203.0.113.9`. */
  readonly query?: string
}

/** Events over time by severity; every bar leads to its events, every severity to its own. */
export function ThreatChart({ timeline, height = 180, label, query = '' }: ThreatChartProps) {
  const { bucket } = timeline
  const shown = useMemo(() => {
    const all = everyBucket(timeline.buckets, bucket)
    const link = (from: number, to: number, rest = '') =>
      `/threats/events?from=${from}&to=${to}${query === '' ? '' : `&${query}`}${rest}`
    const [first, last] = [all[0]?.start ?? 0, nextBucket(all.at(-1)?.start ?? 0, bucket) - 1]
    return {
      all,
      names: all.map(({ start }) => names[bucket].format(start * 1000)),
      links: all.map(({ start }) => link(start, nextBucket(start, bucket) - 1)),
      series: inks.map((ink) => ({
        name: ink,
        ink,
        values: all.map((one) => one[ink]),
        to: link(first, last, `&severity=${ink.toUpperCase()}`),
      })),
      others: all.map(({ other }) => other),
    }
  }, [timeline, bucket, query])
  const total = shown.all.reduce((sum, one) => sum + sumOf(one), 0)
  const worst = shown.all.reduce((found, one) => (sumOf(one) > sumOf(found) ? one : found), {
    ...{ start: 0, critical: 0, high: 0, medium: 0, low: 0, other: 0 },
  })
  const hasOthers = shown.others.some((count) => count > 0)
  return (
    <BarChart
      summary={`${countOf(total, 'event')}, at most ${countText(sumOf(worst))} in one ${bucketWords[bucket]} (from ${exactTime(worst.start)}).`}
      height={height}
      names={shown.names}
      series={[
        ...shown.series,
        ...(hasOthers ? [{ name: 'without severity', ink: 'line' as const, values: shown.others }] : []),
      ]}
      links={shown.links}
      twin={{
        label,
        columns: ['From', 'Critical', 'High', 'Medium', 'Low', ...(hasOthers ? ['Without severity'] : [])],
        rows: shown.all
          .filter((one) => sumOf(one) > 0)
          .map(({ start, critical, high, medium, low, other }) => ({
            key: start,
            cells: [
              exactTime(start),
              ...[critical, high, medium, low, ...(hasOthers ? [other] : [])].map((count) =>
                countText(count),
              ),
            ],
          })),
      }}
    />
  )
}
