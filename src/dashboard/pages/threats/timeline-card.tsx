import { Group, Paper, Select, Skeleton, Text, Title } from '@mantine/core'
import { type ThreatBucket, threatBuckets } from '../../../contract/browser.ts'
import { bucketWords, ThreatChart } from '../../components/chart/threat-chart.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

/** Which events a chart counts, beside its window. */
interface TimelineFilter {
  readonly actors?: string[]
  readonly latestAttack?: string[]
}

interface TimelineCardProps {
  readonly title: string
  readonly address: ReturnType<typeof useListAddress>
  /** Epoch seconds; an end of 0 is now. */
  readonly start: number
  readonly end: number
  readonly filter?: TimelineFilter
  /** The same filter as the list of events takes it from the address. */
  readonly query?: string
  /** Said when there is nothing. */
  readonly none: string
}

const choices = [
  { value: 'auto', label: 'Auto' },
  ...threatBuckets.map((bucket) => ({ value: bucket, label: `By ${bucketWords[bucket]}` })),
]

/** Events over time in buckets of a minute to a month, the length in the address. */
export function TimelineCard({ title, address, start, end, filter = {}, query, none }: TimelineCardProps) {
  const asked = threatBuckets.find((bucket) => bucket === address.one('by')) ?? null
  const timeline = useRead(
    'fetchThreatTimeline',
    { startTs: start, endTs: end, bucket: asked, ...filter },
    { keepLast: true, refreshEvery: 30_000 },
  )
  const { data, error, refetch } = timeline
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{title}</Title>
        <Select
          size="xs"
          w={120}
          aria-label="Length of a bar"
          data={choices}
          value={asked ?? 'auto'}
          allowDeselect={false}
          onChange={(by) => address.change({ by: by === 'auto' ? '' : (by ?? '') })}
        />
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={180} />}
      {data && asked !== null && asked !== data.bucket && (
        <Text size="xs" c="dimmed" mb={4}>
          {notUsed(asked, data.bucket)}
        </Text>
      )}
      {data?.buckets.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {data && data.buckets.length > 0 && (
        <ThreatChart timeline={data} label={title} {...(query === undefined ? {} : { query })} />
      )}
    </Paper>
  )
}

function notUsed(asked: ThreatBucket, used: ThreatBucket): string {
  return `The events are too far apart to be shown by ${bucketWords[asked]}; each bar is one ${bucketWords[used]}.`
}
