import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { CallChart } from '../../components/chart/call-chart.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'

const ranges = [
  { value: 'hour', label: 'Hour', seconds: 3600 },
  { value: 'day', label: 'Day', seconds: 86_400 },
  { value: 'week', label: 'Week', seconds: 604_800 },
  { value: 'month', label: 'Month', seconds: 2_629_800 },
] as const

/** Calls per minute up to now, or up to the last call when that is long ago (recordings are of an earlier time). */
export function CallsCard({ endpoint }: { endpoint: EndpointDetail }) {
  const [range, setRange] = useState<string>('day')
  const seconds = ranges.find((one) => one.value === range)?.seconds ?? 86_400
  const { lastSeen } = endpoint
  const [from, to] = useMemo(() => {
    const now = Math.ceil(Date.now() / 60_000) * 60
    const end = lastSeen > 0 && lastSeen < now - seconds ? lastSeen + Math.round(seconds / 20) : now
    return [end - seconds, end]
  }, [lastSeen, seconds])
  const { data, error, refetch } = useRead('fetchApiCallStats', {
    ...endpoint.id,
    startEpoch: from,
    endEpoch: to,
  })
  return (
    <Paper withBorder p="md" component="section" aria-label="Calls">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Calls</Title>
        <SegmentedControl
          size="xs"
          aria-label="Range of time"
          value={range}
          onChange={setRange}
          data={ranges.map(({ value, label }) => ({ value, label }))}
        />
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={204} />}
      {data && (
        <CallChart points={data.result.apiCallStats} from={Math.floor(from / 60)} to={Math.floor(to / 60)} />
      )}
    </Paper>
  )
}
