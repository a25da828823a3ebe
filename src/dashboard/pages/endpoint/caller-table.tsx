import { Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'

const DAY_MINUTES = 1_440

/** Most calls of each bucket, as the server makes them. */
const ends = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 35_000, 50_000, 100_000]

/** The numbers of calls that a bucket stands for: `b2` is "11 to 50". */
function bucketText(label: string): string {
  const at = Number(label.slice(1)) - 1
  const from = (ends[at - 1] ?? 0) + 1
  const to = ends[at]
  return to === undefined ? `${countText(from)} and more` : `${countText(from)} to ${countText(to)}`
}

/** How many addresses call an endpoint how often in five minutes, over the day before its last call; nothing where none is known. */
export function CallerTable({ endpoint }: { endpoint: EndpointDetail }) {
  const [from, to] = useMemo(() => {
    const end = Math.ceil(endpoint.lastSeen / 60) + 1
    return [end - DAY_MINUTES, end]
  }, [endpoint.lastSeen])
  const { data, error, refetch } = useRead(
    'fetchIpLevelApiCallStats',
    { ...endpoint.id, startWindow: from, endWindow: to },
    { enabled: endpoint.lastSeen > 0 },
  )
  const some = (data?.bucketStats ?? []).filter(({ max }) => max > 0)
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (some.length === 0) return null
  return (
    <>
      <Text size="sm" c="dimmed" mt="sm" mb={4}>
        Addresses by their calls within five minutes, over the day before the last call.
      </Text>
      <CardFrame inset label="Callers">
        <Table aria-label="Callers" miw={420} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Calls of an address</Table.Th>
              <Table.Th ta="right">Fewest addresses</Table.Th>
              <Table.Th ta="right">Median</Table.Th>
              <Table.Th ta="right">Most addresses</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {some.map(({ bucketLabel, min, p50, max }) => (
              <Table.Tr key={bucketLabel}>
                <Table.Td data-label="Calls of an address">{bucketText(bucketLabel)}</Table.Td>
                <Table.Td data-label="Fewest addresses" ta="right">
                  {countText(min)}
                </Table.Td>
                <Table.Td data-label="Median" ta="right">
                  {countText(p50)}
                </Table.Td>
                <Table.Td data-label="Most addresses" ta="right">
                  {countText(max)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </>
  )
}
