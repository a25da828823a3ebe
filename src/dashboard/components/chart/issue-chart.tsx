import { useMemo } from 'react'
import { countOf, countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { BarChart } from './bar-chart.tsx'

/** Issues first found in one length of time. */
interface IssueBucket {
  /** Epoch seconds. */
  readonly start: number
  readonly all: number
  /** Those that are open now. */
  readonly open: number
}

interface IssueChartProps {
  readonly buckets: readonly IssueBucket[]
  /** Length of a bucket: day, week or month. */
  readonly unit: string
}

const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Issues by the time they were first found, open ones below those that were dealt with; with a table twin. */
export function IssueChart({ buckets, unit }: IssueChartProps) {
  const all = buckets.reduce((sum, bucket) => sum + bucket.all, 0)
  const open = buckets.reduce((sum, bucket) => sum + bucket.open, 0)
  const { names, series } = useMemo(
    () => ({
      names: buckets.map(({ start }) => day.format(start * 1000)),
      series: [
        { name: 'open', values: buckets.map((bucket) => bucket.open), ink: 'bar' as const },
        {
          name: 'fixed or ignored',
          values: buckets.map((bucket) => bucket.all - bucket.open),
          ink: 'line' as const,
        },
      ],
    }),
    [buckets],
  )
  return (
    <BarChart
      summary={`${countOf(all, 'issue')} first found in this time; ${countText(open)} of them open now.`}
      note={`Each bar: one ${unit}.`}
      names={names}
      series={series}
      twin={{
        label: 'Issues over time',
        columns: ['From', 'First found', 'Open now'],
        rows: buckets
          .filter((bucket) => bucket.all > 0)
          .map(({ start, all, open }) => ({
            key: start,
            cells: [day.format(start * 1000), countText(all), countText(open)],
          })),
      }}
    />
  )
}
