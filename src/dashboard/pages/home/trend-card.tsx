import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText } from '../../data/words.ts'
import { Card } from './card.tsx'

const DAY = 86_400
const days = 30
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const inks = ['low', 'medium', 'high', 'critical'] as const

/** Open issues at the end of each of the last 30 days, by severity. */
export function TrendCard() {
  const startEpoch = (Math.floor(Date.now() / 1000 / DAY) - days + 1) * DAY
  const query = useRead('fetchOpenIssuesTrend', { startEpoch }, { refreshEvery: 60_000 })
  return (
    <Card
      title="Open issues over time"
      more={
        <Anchor component={Link} to="/issues" size="sm">
          All issues
        </Anchor>
      }
      query={query}
    >
      {(trend) => <Trend trend={trend} />}
    </Card>
  )
}

function Trend({ trend }: { trend: ResponseOf<'fetchOpenIssuesTrend'> }) {
  const { names, series, links, sums } = useMemo(() => readTrend(trend), [trend])
  const [first = 0, last = 0] = [sums[0], sums.at(-1)]
  if (sums.every((sum) => sum === 0)) {
    return (
      <Text size="sm" c="dimmed">
        No issue was open in the last 30 days. Only what was tested can have one.
      </Text>
    )
  }
  const change =
    last === first
      ? 'as many as'
      : last > first
        ? `${countText(last - first)} more than`
        : `${countText(first - last)} fewer than`
  return (
    <BarChart
      summary={`${countOf(last, 'open issue')}, ${change} 30 days ago.`}
      height={150}
      names={names}
      series={series}
      links={links}
      twin={{
        label: 'Open issues by day',
        columns: ['Day', 'Critical', 'High', 'Medium', 'Low'],
        rows: trend.bucketStarts.map((start, at) => ({
          key: start,
          cells: [
            names[at] ?? '',
            ...[trend.critical, trend.high, trend.medium, trend.low].map((values) => countText(values[at])),
          ],
        })),
      }}
    />
  )
}

function readTrend(trend: ResponseOf<'fetchOpenIssuesTrend'>) {
  const series = inks.map((ink) => ({
    name: ink,
    values: trend[ink],
    ink,
    to: `/issues?severity=${ink.toUpperCase()}`,
  }))
  return {
    names: trend.bucketStarts.map((start) => dayName.format(start * 1000)),
    links: trend.bucketEnds.map((end) => `/issues?status=ALL&openBefore=${end}`),
    sums: trend.bucketStarts.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    series,
  }
}
