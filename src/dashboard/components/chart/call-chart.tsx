import { useMemo } from 'react'
import { shownZone } from '../../data/time-zone.ts'
import { countOf, countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { exactTime } from '../time-ago.tsx'
import { BarChart } from './bar-chart.tsx'
import { callBuckets } from './call-buckets.ts'

interface CallChartProps {
  /** Calls by epoch minute. */
  readonly points: readonly { ts: number; count: number }[]
  /** Range shown, epoch minutes, both included. */
  readonly from: number
  readonly to: number
}

// Bars of whole days are those of UTC.
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit', timeZone: shownZone })

function widthInWords(minutes: number): string {
  if (minutes < 60) return countOf(minutes, 'minute')
  return minutes < 1440 ? countOf(minutes / 60, 'hour') : countOf(Math.round(minutes / 1440), 'day')
}

/** Calls over time as bars, with a table twin. */
export function CallChart({ points, from, to }: CallChartProps) {
  const { names, series, buckets, per } = useMemo(() => {
    const { width, buckets } = callBuckets(points, from, to)
    return {
      buckets,
      per: widthInWords(width),
      names: buckets.map(({ minute }) => (width >= 1440 ? day : clock).format(minute * 60_000)),
      series: [{ name: 'calls', values: buckets.map(({ count }) => count), ink: 'bar' as const }],
    }
  }, [points, from, to])
  const total = points.reduce((sum, point) => sum + point.count, 0)
  const highest = buckets.reduce((most, bucket) => (bucket.count > most.count ? bucket : most), {
    minute: from,
    count: 0,
  })
  const summary =
    total === 0
      ? 'No calls in this time.'
      : `${countOf(total, 'call')}; at most ${countText(highest.count)} in ${per}, from ${exactTime(highest.minute * 60)}.`
  return (
    <BarChart
      summary={summary}
      note={`Each bar: ${per}.`}
      height={180}
      names={names}
      series={series}
      twin={{
        label: 'Calls over time',
        columns: ['From', 'Calls'],
        rows: buckets
          .filter(({ count }) => count > 0)
          .map(({ minute, count }) => ({ key: minute, cells: [exactTime(minute * 60), countText(count)] })),
      }}
    />
  )
}
