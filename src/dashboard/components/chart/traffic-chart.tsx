import { useMemo } from 'react'
import { shownZone } from '../../data/time-zone.ts'
import { countOf, countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { exactTime } from '../time-ago.tsx'
import { BarChart } from './bar-chart.tsx'
import { callsOf, everyTrafficBucket, type TrafficBucket, type TrafficRange } from './traffic-buckets.ts'

// Bars of whole days are those of UTC.
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit', timeZone: shownZone })
const dayAndClock = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shownZone,
})

const classes = [
  { name: '2xx', field: 'success', ink: 'success' },
  { name: '3xx', field: 'redirects', ink: 'low' },
  { name: '4xx', field: 'clientErrors', ink: 'medium' },
  { name: '5xx', field: 'serverErrors', ink: 'high' },
  { name: 'no status', field: 'other', ink: 'line' },
] as const

function widthInWords(minutes: number): string {
  if (minutes < 60) return countOf(minutes, 'minute')
  return minutes < 1_440 ? countOf(minutes / 60, 'hour') : countOf(Math.round(minutes / 1_440), 'day')
}

interface TrafficChartProps {
  readonly buckets: readonly TrafficBucket[]
  readonly range: TrafficRange
}

function useBars({ buckets, range }: TrafficChartProps) {
  return useMemo(() => {
    const all = everyTrafficBucket(buckets, range)
    return { all, names: barNames(all, range) }
  }, [buckets, range])
}

/** Names of bars by their beginnings, as short as the range allows. */
export function barNames(bars: readonly { start: number }[], range: TrafficRange): string[] {
  const isLong = range.to - range.from > 86_400
  const names = range.minutes >= 1_440 ? day : isLong ? dayAndClock : clock
  return bars.map(({ start }) => names.format(start * 1_000))
}

/** Calls over time by how they were answered, with a table twin. */
export function TrafficChart(props: TrafficChartProps) {
  const { all, names } = useBars(props)
  const per = widthInWords(props.range.minutes)
  const some = classes.filter(({ field }) => all.some((bucket) => bucket[field] > 0))
  const total = all.reduce((sum, bucket) => sum + callsOf(bucket), 0)
  const shares = some
    .map(({ name, field }) => {
      const count = all.reduce((sum, bucket) => sum + bucket[field], 0)
      return `${shareText(count, total)} ${name}`
    })
    .join(', ')
  return (
    <BarChart
      summary={
        total === 0
          ? 'No calls in this time, or they are no longer kept.'
          : `${countOf(total, 'call')}: ${shares}.`
      }
      note={`Each bar: ${per}.`}
      height={180}
      names={names}
      series={some.map(({ name, field, ink }) => ({ name, ink, values: all.map((one) => one[field]) }))}
      twin={{
        label: 'Calls over time',
        columns: ['From', 'Calls', ...some.map(({ name }) => name)],
        rows: all
          .filter((bucket) => callsOf(bucket) > 0)
          .map((bucket) => ({
            key: bucket.start,
            cells: [
              exactTime(bucket.start),
              countText(callsOf(bucket)),
              ...some.map(({ field }) => countText(bucket[field])),
            ],
          })),
      }}
    />
  )
}

/** A part of a whole in per cent; what is there is never 0 %. */
export function shareText(count: number, total: number): string {
  const percent = total === 0 ? 0 : (100 * count) / total
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
}

/** Distinct addresses over time, with a table twin. */
export function CallersChart(props: TrafficChartProps) {
  const { all, names } = useBars(props)
  const per = widthInWords(props.range.minutes)
  const most = all.reduce((found, one) => (one.callers > found.callers ? one : found), all[0]!)
  return (
    <BarChart
      summary={`At most ${countOf(most.callers, 'address', 'addresses')} in ${per}, from ${exactTime(most.start)}.`}
      height={120}
      names={names}
      series={[{ name: 'addresses', values: all.map(({ callers }) => callers), ink: 'bar' }]}
      twin={{
        label: 'Callers over time',
        columns: ['From', 'Addresses'],
        rows: all
          .filter(({ callers }) => callers > 0)
          .map(({ start, callers }) => ({ key: start, cells: [exactTime(start), countText(callers)] })),
      }}
    />
  )
}
