import { useMemo } from 'react'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { countOf, countText } from '../../data/words.ts'

const DAY = 86_400

/** Events of one day in UTC. */
export interface ActivityDay {
  /** Epoch seconds. */
  readonly start: number
  readonly count: number
}

/** The days from the first to the last, those without events included; at most 400. */
export function everyDay(days: readonly ActivityDay[]): ActivityDay[] {
  const counts = new Map(days.map(({ start, count }) => [start, count]))
  const last = days.at(-1)?.start ?? 0
  const first = Math.max(days[0]?.start ?? 0, last - 399 * DAY)
  return Array.from({ length: days.length === 0 ? 0 : (last - first) / DAY + 1 }, (_none, at) => {
    const start = first + at * DAY
    return { start, count: counts.get(start) ?? 0 }
  })
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Events by day as bars, with a table twin. */
export function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const worst = days.reduce((found, one) => (one.count > found.count ? one : found), { start: 0, count: 0 })
  const { names, series } = useMemo(() => {
    const all = everyDay(days)
    return {
      names: all.map(({ start }) => day.format(start * 1000)),
      series: [{ name: 'events', values: all.map(({ count }) => count), ink: 'bar' as const }],
    }
  }, [days])
  return (
    <BarChart
      summary={`${countOf(total, 'event')} on ${countOf(days.length, 'day')}; most on ${day.format(worst.start * 1000)}: ${countText(worst.count)}.`}
      names={names}
      series={series}
      twin={{
        label: 'Events by day',
        columns: ['Day', 'Events'],
        rows: days.map(({ start, count }) => ({
          key: start,
          cells: [day.format(start * 1000), countText(count)],
        })),
      }}
    />
  )
}
