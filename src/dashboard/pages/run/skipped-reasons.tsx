import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { TestRunSummary } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import type { VerdictMode } from '../../components/testing/verdict.tsx'
import type { useListAddress } from '../../data/list-address.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText } from '../../data/words.ts'

const firstShown = 10

interface SkippedReasonsProps {
  readonly execution: TestRunSummary
  /** The list whose reasons are shown. */
  readonly mode: VerdictMode
  readonly address: ReturnType<typeof useListAddress>
}

/** Why checks of an execution came to no verdict, counted by the condition that decided; a reason filters the list. */
export function SkippedReasons({ execution, mode, address }: SkippedReasonsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const { data, error, refetch } = useRead('fetchTestingRunResultsSummary', {
    testingRunSummaryId: execution.hexId,
  })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={4} label="Loading the reasons" />
  const reasons = (data.skippedCheckReasons ?? []).filter(({ queryMode }) => queryMode === mode)
  if (reasons.length === 0) return null
  const chosen = address.one('reason')
  const shown = showsAll ? reasons : reasons.slice(0, firstShown)
  return (
    <>
      <CardFrame label="Reasons">
        <Table aria-label="Reasons for skipped checks" miw={620} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reason</Table.Th>
              <Table.Th ta="right">Checks</Table.Th>
              <Table.Th ta="right">Tests</Table.Th>
              <Table.Th ta="right">Endpoints</Table.Th>
              <Table.Th>Results</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ reason, error: name, checks, tests, endpoints }) => (
              <Table.Tr key={`${name} ${reason}`}>
                <Table.Td data-label="Reason" style={{ overflowWrap: 'anywhere' }}>
                  {reason}
                </Table.Td>
                <Table.Td data-label="Checks" ta="right">
                  {countText(checks)}
                </Table.Td>
                <Table.Td data-label="Tests" ta="right">
                  {countText(tests)}
                </Table.Td>
                <Table.Td data-label="Endpoints" ta="right">
                  {countText(endpoints)}
                </Table.Td>
                <Table.Td data-label="Results">
                  <Button
                    size="compact-xs"
                    variant={chosen === reason ? 'filled' : 'default'}
                    aria-pressed={chosen === reason}
                    aria-label={`Only show checks skipped because: ${reason}`}
                    onClick={() => address.change({ reason: chosen === reason ? '' : reason })}
                  >
                    Show
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {reasons.length > firstShown && (
        <Group px="sm" pt="xs" gap="sm">
          <Text size="sm" c="dimmed">
            {showsAll
              ? countOf(reasons.length, 'reason')
              : `${firstShown} of ${countOf(reasons.length, 'reason')}`}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : 'Show all'}
          </Button>
        </Group>
      )}
    </>
  )
}
