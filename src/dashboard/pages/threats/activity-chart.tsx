import { Button, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { ChartInks } from '../../components/chart/chart.tsx'
import { countOf, countText } from '../../data/words.ts'

const Chart = lazy(() => import('../../components/chart/chart.tsx'))
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
  const [asTable, setAsTable] = useState(false)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const worst = days.reduce((found, one) => (one.count > found.count ? one : found), { start: 0, count: 0 })
  const summary = `${countOf(total, 'event')} on ${countOf(days.length, 'day')}; most on ${day.format(worst.start * 1000)}: ${countText(worst.count)}.`
  const option = useCallback((inks: ChartInks) => bars(everyDay(days), inks), [days])
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={asTable ? <IconChartBar size={14} /> : <IconTable size={14} />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Show the chart' : 'Show as table'}
        </Button>
      </Group>
      {asTable ? (
        <DayTable days={days} />
      ) : (
        <Suspense fallback={<Skeleton height={160} />}>
          <Chart summary={summary} height={160} option={option} />
        </Suspense>
      )}
    </div>
  )
}

function bars(days: readonly ActivityDay[], inks: ChartInks) {
  const label = { color: inks.text, hideOverlap: true }
  return {
    animation: false,
    grid: { left: 4, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: inks.card,
      borderColor: inks.line,
      textStyle: { color: inks.text },
      axisPointer: { type: 'shadow' },
    },
    xAxis: {
      type: 'category',
      data: days.map(({ start }) => day.format(start * 1000)),
      axisLine: { lineStyle: { color: inks.line } },
      axisTick: { show: false },
      axisLabel: label,
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitLine: { lineStyle: { color: inks.line } },
      axisLabel: label,
    },
    series: [
      { type: 'bar', name: 'events', data: days.map(({ count }) => count), itemStyle: { color: inks.bar } },
    ],
  }
}

function DayTable({ days }: { days: readonly ActivityDay[] }) {
  return (
    <ScrollArea.Autosize mah={180} viewportProps={{ tabIndex: 0, 'aria-label': 'Events by day' }}>
      <Table aria-label="Events by day">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day</Table.Th>
            <Table.Th ta="right">Events</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map(({ start, count }) => (
            <Table.Tr key={start}>
              <Table.Td>{day.format(start * 1000)}</Table.Td>
              <Table.Td ta="right">{countText(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
