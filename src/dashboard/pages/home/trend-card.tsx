import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { dateLocale } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from './card.tsx'

const DAY = 86_400
const days = 30
const dayName = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const inks = ['low', 'medium', 'high', 'critical'] as const

/** Open issues at the end of each of the last 30 days, by severity. */
export function TrendCard() {
  const startEpoch = (Math.floor(Date.now() / 1000 / DAY) - days + 1) * DAY
  const query = useRead('fetchOpenIssuesTrend', { startEpoch }, { refreshEvery: 60_000 })
  return (
    <Card
      title={t('overview.trend')}
      more={
        <Anchor component={Link} to="/issues" size="sm">
          {t('overview.allIssues')}
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
        {t('overview.noTrend')}
      </Text>
    )
  }
  const change = Math.abs(last - first)
  const summary =
    last === first
      ? t('overview.trendSame', { count: last })
      : t(last > first ? 'overview.trendMore' : 'overview.trendFewer', { count: last, change })
  return (
    <BarChart
      summary={summary}
      height={150}
      names={names}
      series={series}
      links={links}
      twin={{
        label: t('overview.issuesByDay'),
        columns: [t('chart.day'), ...[...inks].reverse().map((ink) => t(`severity.${ink}`))],
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
    name: t(`severity.${ink}`).toLowerCase(),
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
