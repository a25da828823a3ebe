import { Paper, Table, Text, Title } from '@mantine/core'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag, type TagTone } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useRead } from '../../../data/use-operation.ts'

type Delivery = ResponseOf<'fetchDeliveries'>['deliveries'][number]

const states: Record<Delivery['state'], { word: string; tone: TagTone }> = {
  GATHERING: { word: 'being gathered', tone: 'gray' },
  WAITING: { word: 'waits', tone: 'blue' },
  DONE: { word: 'delivered', tone: 'green' },
  FAILED: { word: 'given up', tone: 'red' },
}
const events: Record<string, string> = {
  RUN_FINISHED: 'A run ended',
  NEW_ISSUES: 'New issues',
  NEW_THREATS: 'New malicious events',
  ACTOR_STATUS: 'Status of a threat actor',
  TICKET: 'A ticket',
}
const shown = 30

/** The newest messages to other systems, with what became of each. */
export function Deliveries() {
  const { data, error, refetch } = useRead('fetchDeliveries', { limit: shown }, { refreshEvery: 15_000 })
  const deliveries = data?.deliveries
  return (
    <Paper withBorder component="section" aria-label="Newest messages">
      <Title order={2} p="md" pb="xs">
        Newest messages
      </Title>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {deliveries === undefined && !error && <TableSkeleton rows={3} label="Loading the messages" />}
      {deliveries?.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing was sent yet. Failed deliveries are retried for about twelve hours.
        </Text>
      )}
      {deliveries !== undefined && deliveries.length > 0 && (
        <CardFrame label="Newest messages">
          <Table aria-label="Newest messages" miw={680} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Of</Table.Th>
                <Table.Th>To</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th ta="right">Attempts</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deliveries.map((one) => (
                <Table.Tr key={one.messageId}>
                  <Table.Td data-label="Of">{events[one.event] ?? one.event}</Table.Td>
                  <Table.Td data-label="To" style={{ overflowWrap: 'anywhere' }}>
                    {one.kind === 'TICKET' ? 'the tracker' : (one.webhookName ?? 'a channel that is gone')}
                  </Table.Td>
                  <Table.Td data-label="State" maw={320}>
                    <Tag tone={states[one.state].tone}>{states[one.state].word}</Tag>
                    {one.problem !== null && (
                      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                        {one.problem}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td data-label="Attempts" ta="right">
                    {one.attempts}
                  </Table.Td>
                  <Table.Td data-label="When">
                    <TimeAgo seconds={one.endTime || one.createTime} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
    </Paper>
  )
}
