import { Button, Group, Paper, Table, Text, Title } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import type { TestRunSummary } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'

const pageSize = 100
const liveMs = 3_000

/** What an execution sent, request by request, and what went wrong; asked for when somebody wants to see it. */
export function LogPanel({ runId, execution }: { runId: string; execution: TestRunSummary }) {
  const [page, setPage] = useState<number | null>(null)
  return (
    <Paper withBorder component="section" aria-label="Log">
      <Group p="md" pb="xs" justify="space-between">
        <div>
          <Title order={2}>Log</Title>
          <Text size="sm" c="dimmed">
            Every request sent to the target, oldest first. The results contain headers and bodies.
          </Text>
        </div>
        {page === null && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListDetails size={14} />}
            onClick={() => setPage(0)}
          >
            Show the log
          </Button>
        )}
      </Group>
      {page !== null && <LogLines runId={runId} execution={execution} page={page} onPage={setPage} />}
    </Paper>
  )
}

interface LogLinesProps {
  readonly runId: string
  readonly execution: TestRunSummary
  readonly page: number
  readonly onPage: (page: number) => void
}

function LogLines({ runId, execution, page, onPage }: LogLinesProps) {
  const tests = useTests()
  const { data, error, refetch } = useRead(
    'fetchTestRunLogs',
    {
      testingRunHexId: runId,
      testingRunResultSummaryHexId: execution.hexId,
      skip: page * pageSize,
      limit: pageSize + 1,
    },
    { keepLast: true, refreshEvery: isUnderWay(execution.state) ? liveMs : false },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={6} label="Loading the log" />
  const lines = data.testRunLogs.slice(0, pageSize)
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed" px="md" pb="md">
        Nothing was sent{isUnderWay(execution.state) ? ' yet' : ', or the log is no longer kept'}.
      </Text>
    )
  }
  return (
    <>
      <CardFrame label="Lines of the log">
        <Table aria-label="Lines of the log" miw={720} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>What</Table.Th>
              <Table.Th>For the test</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one page never move
              <Table.Tr key={at}>
                <Table.Td data-label="When" miw={210}>
                  {exactTime(line.timestamp)}
                </Table.Td>
                <Table.Td data-label="What" style={{ overflowWrap: 'anywhere' }}>
                  {line.log}
                </Table.Td>
                <Table.Td data-label="For the test">
                  {line.testId === null ? 'the run as a whole' : <TestName tests={tests} id={line.testId} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      <TurnPages
        page={page}
        pageSize={pageSize}
        shown={lines.length}
        hasMore={data.testRunLogs.length > pageSize}
        onPage={onPage}
        what="Lines of the log"
      />
    </>
  )
}
