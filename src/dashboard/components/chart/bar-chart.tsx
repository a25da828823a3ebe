import { Button, Group, ScrollArea, Table, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { Link } from 'react-router'
import { countText } from '../../data/words.ts'
import type { t } from '../../i18n/translate.ts'
import { usePageText } from '../../i18n/use-page-text.ts'
import classes from './bar-chart.module.css'
import { scaleOf } from './scale-of.ts'

/** Values of one kind, one for each bar; several series stand upon each other, the first at the bottom. */
interface BarSeries {
  readonly name: string
  readonly values: readonly number[]
  /** What is read out for each bar, where it is not what the series adds to those below it. */
  readonly told?: readonly number[]
  readonly ink: 'bar' | 'line' | 'critical' | 'high' | 'medium' | 'low' | 'success'
  /** Address of the list behind the series. */
  readonly to?: string
}

/** The same numbers as a table; the first cell names the row. */
interface TableTwin {
  readonly label: string
  readonly columns: readonly string[]
  /** The key is a time: names of days come again after a year. */
  readonly rows: readonly { readonly key: number; readonly cells: readonly string[] }[]
}

interface BarChartProps {
  /** What the bars say, also for those who cannot see them. */
  readonly summary: string
  /** Text after the summary, such as the width of a bar. */
  readonly note?: string
  /** Pixels. */
  readonly height?: number
  /** Names of the bars. */
  readonly names: readonly string[]
  readonly series: readonly BarSeries[]
  /** Addresses of the lists behind the bars, one each. */
  readonly links?: readonly string[]
  readonly twin: TableTwin
}

/** Numbers over time as bars, with a table twin. Where bars are links, one tab stop leads to all of them. */
export function BarChart({ summary, note, height = 160, names, series, links, twin }: BarChartProps) {
  const t = usePageText()
  const [asTable, setAsTable] = useState(false)
  return (
    <div>
      <Group justify="space-between" mb={4} wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed">
          {note === undefined ? summary : `${summary} ${note}`}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flexShrink: 0 }}
          leftSection={asTable ? <IconChartBar size={14} /> : <IconTable size={14} />}
          onClick={() => setAsTable(!asTable)}
        >
          {t(asTable ? 'chart.showChart' : 'chart.showTable')}
        </Button>
      </Group>
      {asTable ? (
        <Twin twin={twin} />
      ) : (
        <Bars summary={summary} height={height} names={names} series={series} links={links} />
      )}
    </div>
  )
}

type BarsProps = Pick<BarChartProps, 'summary' | 'names' | 'series' | 'links'> & { readonly height: number }

/** What stands at one bar, in words: "3 Nov: 2 critical, 1 high". */
function readingOf(
  { names, series, text }: Pick<BarsProps, 'names' | 'series'> & { text: typeof t },
  at: number,
): string {
  const some = series.filter(({ values }) => (values[at] ?? 0) > 0)
  const numbers = some.map(({ name, values, told = values }) => `${countText(told[at])} ${name}`).join(', ')
  return text('chart.reading', {
    name: names[at] ?? '',
    values: numbers === '' ? text('common.none') : numbers,
  })
}

/** Names of rank 0 are shown at any width, those of rank 1 and 2 where there is room for them. */
function rankOf(nth: number): number {
  return nth % 4 === 0 ? 0 : nth % 2 === 0 ? 1 : 2
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** The arrows move between the bars that are links. */
function moveBetweenBars(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  const bars = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const next = bars[bars.indexOf(event.target as HTMLElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function Bars({ summary, height, names, series, links }: BarsProps) {
  const text = usePageText()
  const [pointed, setPointed] = useState<number | null>(null)
  const sums = names.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const top = scaleOf(Math.max(...sums, 1))
  const every = Math.max(1, Math.ceil(names.length / 8))
  const described = links === undefined ? { role: 'img', 'aria-label': summary } : {}
  return (
    <div className={classes['chart']}>
      <div className={classes['plot']} style={{ height }} {...described}>
        <div className={classes['scale']} aria-hidden>
          <span>{countText(top)}</span>
          {top > 1 && <span>{countText(top / 2)}</span>}
          <span>0</span>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links */}
        <div className={classes['bars']} onKeyDown={moveBetweenBars} onMouseLeave={() => setPointed(null)}>
          {names.map((name, at) => (
            <Bar
              // biome-ignore lint/suspicious/noArrayIndexKey: names of days come again after a year
              key={at}
              to={links?.[at]}
              label={readingOf({ names, series, text }, at)}
              isTabStop={at === names.length - 1}
              onPoint={() => setPointed(at)}
            >
              {series.map(({ name: kind, values, ink }) => (
                <span
                  key={kind}
                  className={classes['part']}
                  data-ink={ink}
                  style={{ height: `${((values[at] ?? 0) / top) * 100}%` }}
                  data-some={(values[at] ?? 0) > 0 || undefined}
                />
              ))}
              {at % every === 0 && (
                <span
                  className={classes['name']}
                  data-rank={rankOf(at / every)}
                  data-last={at + every >= names.length || undefined}
                  aria-hidden
                >
                  {name}
                </span>
              )}
            </Bar>
          ))}
        </div>
      </div>
      <div className={classes['foot']}>
        {series.length > 1 && <Legend series={series} />}
        <span className={classes['reading']} aria-hidden>
          {pointed === null ? '' : readingOf({ names, series, text }, pointed)}
        </span>
      </div>
    </div>
  )
}

interface BarProps {
  readonly to: string | undefined
  readonly label: string
  readonly isTabStop: boolean
  readonly onPoint: () => void
  readonly children: React.ReactNode
}

function Bar({ to, label, isTabStop, onPoint, children }: BarProps) {
  if (to === undefined) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the reading repeats what the summary and the table tell
      <span className={classes['bar']} onMouseEnter={onPoint}>
        {children}
      </span>
    )
  }
  return (
    <Link
      to={to}
      className={classes['bar']}
      aria-label={label}
      tabIndex={isTabStop ? 0 : -1}
      onMouseEnter={onPoint}
      onFocus={onPoint}
    >
      {children}
    </Link>
  )
}

function Legend({ series }: { series: readonly BarSeries[] }) {
  return (
    <ul className={classes['legend']}>
      {[...series].reverse().map(({ name, ink, to }) => (
        <li key={name}>
          <span className={classes['swatch']} data-ink={ink} aria-hidden />
          {to === undefined ? name : <Link to={to}>{name}</Link>}
        </li>
      ))}
    </ul>
  )
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
