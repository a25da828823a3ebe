import { Anchor, Grid, Group, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { CallersChart, TrafficChart } from '../../components/chart/traffic-chart.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'
import { CallerTable } from './caller-table.tsx'
import { LatencyCard } from './latency-card.tsx'

/** Bars of whole lengths: 5 minutes, 15 minutes, 2 hours, a day. */
const ranges = [
  { value: 'hour', label: 'Hour', seconds: 3_600, bars: 12 },
  { value: 'day', label: 'Day', seconds: 86_400, bars: 96 },
  { value: 'week', label: 'Week', seconds: 604_800, bars: 84 },
  { value: 'month', label: 'Month', seconds: 2_592_000, bars: 30 },
] as const

/** Calls by status and callers over time, up to now, or up to the last call when that is long ago (recordings are of an earlier time). */
export function TrafficCards({ endpoint }: { endpoint: EndpointDetail }) {
  const [chosen, setChosen] = useState<string>('day')
  const { seconds, bars } = ranges.find(({ value }) => value === chosen) ?? ranges[1]
  const { lastSeen, id } = endpoint
  const [startTimestamp, endTimestamp] = useMemo(() => {
    const now = Math.ceil(Date.now() / 60_000) * 60
    const end = lastSeen > 0 && lastSeen < now - seconds ? lastSeen + Math.round(seconds / 20) : now
    const minute = Math.ceil(end / 60) * 60
    return [minute - seconds, minute - 60]
  }, [lastSeen, seconds])
  const { data, error, refetch } = useRead(
    'fetchEndpointTraffic',
    { apiList: [id], startTimestamp, endTimestamp, buckets: bars },
    { refreshEvery: 60_000 },
  )
  const range = data && { from: startTimestamp, to: endTimestamp, minutes: data.bucketMinutes }
  const buckets = data?.traffic[0]?.buckets ?? []
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Paper withBorder p="md" h="100%" component="section" aria-label="Calls">
          <Group justify="space-between" mb="xs">
            <Title order={2}>Calls by status</Title>
            <SegmentedControl
              size="xs"
              aria-label="Range of time"
              value={chosen}
              onChange={setChosen}
              data={ranges.map(({ value, label }) => ({ value, label }))}
            />
          </Group>
          {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
          {data === undefined && !error && <Skeleton height={204} />}
          {range && <TrafficChart buckets={buckets} range={range} />}
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper withBorder p="md" h="100%" component="section" aria-label="Callers">
          <Title order={2} mb="xs">
            Callers
          </Title>
          {data === undefined && !error && <Skeleton height={144} />}
          {data === undefined && error && (
            <Text size="sm" c="dimmed">
              Not known: the calls of this time could not be read.
            </Text>
          )}
          {range && buckets.some(({ callers }) => callers > 0) && (
            <CallersChart buckets={buckets} range={range} />
          )}
          {range && !buckets.some(({ callers }) => callers > 0) && (
            <Text size="sm" c="dimmed">
              No addresses are known in this time. Recordings and documents name none, and calls per address
              are kept for a few hours only, unless the{' '}
              <Anchor component={Link} to="/settings/organisation" inherit underline="always">
                retention of the organisation
              </Anchor>{' '}
              or the operator of Vigil says otherwise.
            </Text>
          )}
          <CallerTable endpoint={endpoint} />
        </Paper>
      </Grid.Col>
      {(data !== undefined || !error) && (
        <Grid.Col span={12}>
          <LatencyCard
            latencies={data?.traffic[0]?.latencies ?? (data && [])}
            range={range && { ...range, minutes: data.latencyMinutes }}
          />
        </Grid.Col>
      )}
    </Grid>
  )
}
