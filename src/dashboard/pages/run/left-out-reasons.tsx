import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { client } from '../../data/client.ts'
import { countOf, countText } from '../../data/words.ts'

const pageSize = 1000
/** Results counted at most: reasons repeat, and a browser need not hold a million results. */
const mostCounted = 10_000

/** Reasons with how often each was given, the most frequent first. */
export function countReasons(reasons: Iterable<string>): [reason: string, count: number][] {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

async function fetchReasons(executionId: string, signal: AbortSignal) {
  const reasons: string[] = []
  while (reasons.length < mostCounted) {
    const { testingRunResults } = await client.call(
      'fetchTestingRunResults',
      {
        testingRunResultSummaryHexId: executionId,
        queryMode: 'SKIPPED_EXEC',
        sortKey: null,
        sortOrder: -1,
        limit: pageSize,
        skip: reasons.length,
        queryValue: '',
      },
      { signal },
    )
    const page = testingRunResults ?? []
    reasons.push(...page.map((one) => one.testResults[0]?.validationReason ?? one.errorsList.join('; ')))
    if (page.length < pageSize) break
  }
  return { counted: reasons.length, rows: countReasons(reasons) }
}

/** Why pairs of test and endpoint were left out, counted by reason when asked for. */
export function LeftOutReasons({ executionId, count }: { executionId: string; count: number }) {
  const [wanted, setWanted] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['left out reasons', executionId],
    queryFn: ({ signal }) => fetchReasons(executionId, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!wanted) {
    return (
      <Group p="sm" gap="sm">
        <Text size="sm">{countOf(count, 'pair')} of test and endpoint were left out, each for a reason.</Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconListDetails size={14} />}
          onClick={() => setWanted(true)}
        >
          Count the reasons
        </Button>
      </Group>
    )
  }
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={80} m="sm" />
  return (
    <Table aria-label="Reasons of what was left out" maw={860} verticalSpacing={4} m="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            Left out, because
            {data.counted < count && ` (the newest ${countText(data.counted)} of ${countText(count)})`}
          </Table.Th>
          <Table.Th ta="right">Pairs</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.rows.slice(0, 30).map(([reason, times]) => (
          <Table.Tr key={reason}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{reason}</Table.Td>
            <Table.Td ta="right">{countText(times)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
