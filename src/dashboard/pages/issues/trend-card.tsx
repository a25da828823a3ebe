import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { IssueChart } from '../../components/chart/issue-chart.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead } from '../../data/use-operation.ts'

const ranges = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'Year' },
] as const

const secondsOfDay = 86_400

/** When issues were first found, and which of them are still open. */
export function TrendCard({ collectionIds }: { collectionIds: readonly number[] }) {
  const [days, setDays] = useState<string>('30')
  const startEpoch = useMemo(
    () => (Math.floor(Date.now() / 1000 / secondsOfDay) - Number(days) + 1) * secondsOfDay,
    [days],
  )
  const { data, error, refetch } = useRead('findTotalIssuesByDay', {
    startEpoch,
    endTimeStamp: 0,
    filterCollectionsId: [...collectionIds],
  })
  const buckets = useMemo(
    () =>
      (data?.response?.bucketStarts ?? []).map((start, at) => ({
        start,
        all: data?.totalIssuesCountDayWise?.[at] ?? 0,
        open: data?.openIssuesCountDayWise?.[at] ?? 0,
      })),
    [data],
  )
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Issues over time">
      <Group justify="space-between" mb="xs">
        <Title order={2}>First found</Title>
        <SegmentedControl
          size="xs"
          aria-label="Range of time"
          value={days}
          onChange={setDays}
          data={[...ranges]}
        />
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={184} />}
      {data && <IssueChart buckets={buckets} unit={data.response?.bucket ?? 'day'} />}
    </Paper>
  )
}
