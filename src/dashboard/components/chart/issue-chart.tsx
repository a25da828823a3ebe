import { Button, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { countOf, countText } from '../../data/words.ts'
import type { ChartInks } from './chart.tsx'

const Chart = lazy(() => import('./chart.tsx'))

/** Issues first found in one length of time. */
export interface IssueBucket {
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

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Issues by the time they were first found, open ones below those that were dealt with; with a table twin. */
export function IssueChart({ buckets, unit }: IssueChartProps) {
  const [asTable, setAsTable] = useState(false)
  const all = buckets.reduce((sum, bucket) => sum + bucket.all, 0)
  const open = buckets.reduce((sum, bucket) => sum + bucket.open, 0)
  const summary = `${countOf(all, 'issue')} first found in this time; ${countText(open)} of them open now.`
  const option = useCallback((inks: ChartInks) => stackedBars(buckets, inks), [buckets])
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" c="dimmed">
          {summary} Each bar: one {unit}.
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
        <BucketTable buckets={buckets.filter((bucket) => bucket.all > 0)} />
      ) : (
        <Suspense fallback={<Skeleton height={160} />}>
          <Chart summary={summary} height={160} option={option} />
        </Suspense>
      )}
    </div>
  )
}

function stackedBars(buckets: readonly IssueBucket[], inks: ChartInks) {
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
      data: buckets.map(({ start }) => day.format(start * 1000)),
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
      {
        type: 'bar',
        name: 'open',
        stack: 'issues',
        data: buckets.map(({ open }) => open),
        itemStyle: { color: inks.bar },
      },
      {
        type: 'bar',
        name: 'fixed or ignored',
        stack: 'issues',
        data: buckets.map(({ all, open }) => all - open),
        itemStyle: { color: inks.line },
      },
    ],
  }
}

function BucketTable({ buckets }: { buckets: readonly IssueBucket[] }) {
  return (
    <ScrollArea.Autosize mah={180} viewportProps={{ tabIndex: 0, 'aria-label': 'Issues over time' }}>
      <Table aria-label="Issues over time">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th ta="right">First found</Table.Th>
            <Table.Th ta="right">Open now</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {buckets.map((bucket) => (
            <Table.Tr key={bucket.start}>
              <Table.Td>{day.format(bucket.start * 1000)}</Table.Td>
              <Table.Td ta="right">{countText(bucket.all)}</Table.Td>
              <Table.Td ta="right">{countText(bucket.open)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
