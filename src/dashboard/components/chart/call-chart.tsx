import { Button, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { exactTime } from '../time-ago.tsx'
import { callBuckets } from './call-buckets.ts'
import type { ChartInks } from './chart.tsx'

const Chart = lazy(() => import('./chart.tsx'))

interface CallChartProps {
  /** Calls by epoch minute. */
  readonly points: readonly { ts: number; count: number }[]
  /** Range shown, epoch minutes, both included. */
  readonly from: number
  readonly to: number
}

const number = new Intl.NumberFormat('en')
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

function widthInWords(minutes: number): string {
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 1440
        ? [minutes / 60, 'hour']
        : [Math.round(minutes / 1440), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Calls over time as bars, with a table twin. */
export function CallChart({ points, from, to }: CallChartProps) {
  const [asTable, setAsTable] = useState(false)
  const { width, buckets } = useMemo(() => callBuckets(points, from, to), [points, from, to])
  const total = points.reduce((sum, point) => sum + point.count, 0)
  const highest = buckets.reduce((most, bucket) => (bucket.count > most.count ? bucket : most), {
    minute: from,
    count: 0,
  })
  const per = widthInWords(width)
  const summary =
    total === 0
      ? 'No calls in this time.'
      : `${number.format(total)} ${total === 1 ? 'call' : 'calls'}; at most ${number.format(highest.count)} in ${per}, from ${exactTime(highest.minute * 60)}.`
  const option = useCallback(
    (inks: ChartInks) => ({
      animation: false,
      grid: {
        left: 4,
        right: 8,
        top: 12,
        bottom: 4,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
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
        data: buckets.map(({ minute }) => (width >= 1440 ? day : clock).format(minute * 60_000)),
        axisLine: { lineStyle: { color: inks.line } },
        axisTick: { show: false },
        axisLabel: { color: inks.text, hideOverlap: true },
      },
      yAxis: {
        type: 'value',
        minInterval: 1,
        splitLine: { lineStyle: { color: inks.line } },
        axisLabel: { color: inks.text },
      },
      series: [
        {
          type: 'bar',
          name: 'calls',
          data: buckets.map(({ count }) => count || null),
          itemStyle: { color: inks.bar },
          barMinHeight: 2,
        },
      ],
    }),
    [buckets, width],
  )
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" c="dimmed">
          {summary} Each bar: {per}.
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
        <BucketTable buckets={buckets.filter((bucket) => bucket.count > 0)} />
      ) : (
        <Suspense fallback={<Skeleton height={180} />}>
          <Chart summary={summary} height={180} option={option} />
        </Suspense>
      )}
    </div>
  )
}

function BucketTable({ buckets }: { buckets: readonly { minute: number; count: number }[] }) {
  return (
    <ScrollArea.Autosize mah={180} viewportProps={{ tabIndex: 0, 'aria-label': 'Calls over time' }}>
      <Table aria-label="Calls over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th ta="right">Calls</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {buckets.map((bucket) => (
            <Table.Tr key={bucket.minute}>
              <Table.Td>{exactTime(bucket.minute * 60)}</Table.Td>
              <Table.Td ta="right">{number.format(bucket.count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
