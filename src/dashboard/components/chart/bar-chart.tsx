import { Button, Group, ScrollArea, Skeleton, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { ChartInks } from './chart.tsx'

const Chart = lazy(() => import('./chart.tsx'))

/** Values of one kind, one for each bar; several series stand upon each other. */
export interface BarSeries {
  readonly name: string
  readonly values: readonly number[]
  readonly ink: 'bar' | 'line'
}

/** The same numbers as a table; the first cell names the row. */
export interface TableTwin {
  readonly label: string
  readonly columns: readonly string[]
  /** The key is a time: names of days come again after a year. */
  readonly rows: readonly { readonly key: number; readonly cells: readonly string[] }[]
}

interface BarChartProps {
  /** What the bars say, also for those who cannot see them. */
  readonly summary: string
  /** What stands behind the summary, such as the width of a bar. */
  readonly note?: string
  /** Pixels. */
  readonly height?: number
  /** Names of the bars. */
  readonly names: readonly string[]
  readonly series: readonly BarSeries[]
  readonly twin: TableTwin
}

/** Numbers over time as bars, with a table twin. Names and series must be stable between renders. */
export function BarChart({ summary, note, height = 160, names, series, twin }: BarChartProps) {
  const [asTable, setAsTable] = useState(false)
  const option = useCallback((inks: ChartInks) => bars(names, series, inks), [names, series])
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" c="dimmed">
          {note === undefined ? summary : `${summary} ${note}`}
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
        <Twin twin={twin} />
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>
          <Chart summary={summary} height={height} option={option} />
        </Suspense>
      )}
    </div>
  )
}

function bars(names: readonly string[], series: readonly BarSeries[], inks: ChartInks) {
  const label = { color: inks.text, hideOverlap: true }
  const line = { lineStyle: { color: inks.line } }
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
    xAxis: { type: 'category', data: names, axisLine: line, axisTick: { show: false }, axisLabel: label },
    yAxis: { type: 'value', minInterval: 1, splitLine: line, axisLabel: label },
    series: series.map(({ name, values, ink }) => ({
      type: 'bar',
      name,
      stack: 'all',
      // A bar of nothing would still be given its least height.
      data: values.map((value) => value || null),
      itemStyle: { color: inks[ink] },
      barMinHeight: 2,
    })),
  }
}

function Twin({ twin: { label, columns, rows } }: { twin: TableTwin }) {
  return (
    <ScrollArea.Autosize mah={180} viewportProps={{ tabIndex: 0, 'aria-label': label }}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, at) => (
              <Table.Th key={column} ta={at === 0 ? 'left' : 'right'}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {columns.map((column, at) => (
                <Table.Td key={column} ta={at === 0 ? 'left' : 'right'}>
                  {cells[at]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
