import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { ResponseOf } from '../../../contract/browser.ts'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import type { TrafficRange } from '../../components/chart/traffic-buckets.ts'
import { barNames } from '../../components/chart/traffic-chart.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { millisecondsText } from '../../data/words.ts'
import { shownLanguage } from '../../i18n/language.ts'
import { PageLanguage } from '../../i18n/page-language.ts'
import { t } from '../../i18n/translate.ts'
import './messages.ts'

type Latency = ResponseOf<'fetchEndpointTraffic'>['traffic'][number]['latencies'][number]

interface LatencyCardProps {
  /** Undefined while they are on the way. */
  readonly latencies: readonly Latency[] | undefined
  readonly range: TrafficRange | undefined
}

/** How long calls took over time, as far as sources told it. */
export function LatencyCard({ latencies, range }: LatencyCardProps) {
  // The rest of the page is in English only.
  return (
    <PageLanguage value={undefined}>
      <Paper withBorder p="md" component="section" lang={shownLanguage} aria-label={t('latency.title')}>
        <Title order={2} mb="xs">
          {t('latency.title')}
        </Title>
        {(latencies === undefined || range === undefined) && <Skeleton height={144} />}
        {latencies?.length === 0 && range && (
          <Text size="sm" c="dimmed">
            {t('latency.none')}
          </Text>
        )}
        {latencies && latencies.length > 0 && range && <LatencyChart latencies={latencies} range={range} />}
      </Paper>
    </PageLanguage>
  )
}

/** The highest of some latencies in words. */
function highest(latencies: readonly Latency[], of: 'p50' | 'p95'): string {
  return millisecondsText(Math.max(...latencies.map((one) => one[of] ?? 0)))
}

function LatencyChart({ latencies, range }: { latencies: readonly Latency[]; range: TrafficRange }) {
  const { all, names } = useMemo(() => {
    const width = range.minutes * 60
    const known = new Map(latencies.map((one) => [one.start, one]))
    const every: Latency[] = []
    for (let start = Math.floor(range.from / width) * width; start <= range.to; start += width)
      every.push(known.get(start) ?? { start, p50: null, p95: null })
    return { all: every, names: barNames(every, range) }
  }, [latencies, range])
  const hours = range.minutes / 60
  const length =
    hours < 24 ? t('latency.hours', { count: hours }) : t('latency.days', { count: Math.round(hours / 24) })
  const medians = all.map(({ p50 }) => p50 ?? 0)
  const high = all.map(({ p95 }) => p95 ?? 0)
  return (
    <BarChart
      summary={t('latency.summary', { p50: highest(latencies, 'p50'), p95: highest(latencies, 'p95') })}
      note={t('latency.note', { length })}
      height={120}
      names={names}
      series={[
        { name: t('latency.seriesP50'), values: medians, ink: 'bar' },
        {
          name: t('latency.seriesP95'),
          values: high.map((p95, at) => p95 - (medians[at] ?? 0)),
          told: high,
          ink: 'medium',
        },
      ]}
      twin={{
        label: t('latency.overTime'),
        columns: [t('latency.from'), 'p50', 'p95'],
        rows: latencies.map(({ start, p50, p95 }) => ({
          key: start,
          cells: [exactTime(start), millisecondsText(p50 ?? 0), millisecondsText(p95 ?? 0)],
        })),
      }}
    />
  )
}
