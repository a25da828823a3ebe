import { Anchor, Paper, Table, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { TestRunSummary } from '../../../contract/browser.ts'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { RunStateTag } from '../../components/testing/run-state.tsx'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { countText, durationText } from '../../data/words.ts'

interface ExecutionsProps {
  readonly runId: string
  readonly executions: readonly TestRunSummary[]
  readonly chosenId: string
}

/** The executions of a run that came back or was repeated, newest first; choosing one shows its results. */
export function Executions({ runId, executions, chosenId }: ExecutionsProps) {
  return (
    <Paper withBorder component="section" aria-label="Executions">
      <Title order={2} p="md" pb={0}>
        Executions
      </Title>
      <CardFrame label="Executions">
        <Table aria-label="Executions" miw={620} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Started</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Findings</Table.Th>
              <Table.Th ta="right">Results</Table.Th>
              <Table.Th ta="right">Took</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {executions.map((one) => (
              <Table.Tr key={one.hexId}>
                <Table.Td data-label="Started">
                  <Anchor
                    component={Link}
                    to={`/runs/${runId}?execution=${one.hexId}`}
                    aria-current={one.hexId === chosenId ? 'true' : undefined}
                    fw={one.hexId === chosenId ? 700 : undefined}
                  >
                    <TimeAgo seconds={one.startTimestamp} />
                    {one.hexId === chosenId && ' (shown)'}
                  </Anchor>
                </Table.Td>
                <Table.Td data-label="State">
                  <RunStateTag state={one.state} />
                </Table.Td>
                <Table.Td data-label="Findings">
                  <SeverityCountTags counts={one.countCauses ?? one.countIssues} />
                </Table.Td>
                <Table.Td data-label="Results" ta="right">
                  {countText(one.testResultsCount)}
                </Table.Td>
                <Table.Td data-label="Took" ta="right">
                  {one.endTimestamp > 0
                    ? durationText(Math.max(0, one.endTimestamp - one.startTimestamp))
                    : '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </Paper>
  )
}
