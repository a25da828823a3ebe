import { useMemo } from 'react'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { countOf, countText } from '../../data/words.ts'
import { type ActivityDay, everyDay } from './every-day.ts'

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
