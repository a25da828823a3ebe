import { Alert, Anchor, Button, Group, Paper, Select, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { findingChanges, ResponseOf, TestRun, TestRunSummary } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Tag, type TagTone } from '../../components/tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf, countText } from '../../data/words.ts'
import { runName } from '../runs/columns.tsx'

type Change = (typeof findingChanges)[number]
type Comparison = ResponseOf<'compareExecutions'>

const changes: readonly { change: Change; word: string; tone: TagTone; text: string }[] = [
  { change: 'NEW', word: 'New', tone: 'red', text: 'Not found by the earlier execution.' },
  { change: 'STILL_THERE', word: 'Still there', tone: 'orange', text: 'Found by both executions.' },
  { change: 'FIXED', word: 'Fixed', tone: 'green', text: 'The later execution proved that it is gone.' },
  {
    change: 'NOT_VERIFIED',
    word: 'Not verified',
    tone: 'gray',
    text: 'The later execution did not check it, or came to no verdict.',
  },
]

interface ComparisonProps {
  readonly run: TestRun
  readonly execution: TestRunSummary
  readonly executions: readonly TestRunSummary[]
}

/** What became of findings since an earlier execution, which the address keeps; hidden where none is earlier. */
export function ComparisonPanel({ run, execution, executions }: ComparisonProps) {
  const address = useListAddress()
  const choices = useEarlier(run, execution, executions)
  const chosen = address.one('compare')
  if (choices.length === 0 && chosen === '') return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Comparison">
      <Group justify="space-between" mb={chosen === '' ? 0 : 'sm'}>
        <Title order={2}>Compare with an earlier execution</Title>
        <Select
          aria-label="Earlier execution"
          placeholder="Choose an execution"
          w={340}
          maw="100%"
          data={choices}
          value={chosen || null}
          onChange={(value) => address.change({ compare: value ?? '', change: '' })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'End the comparison' }}
        />
      </Group>
      {chosen !== '' && <Compared laterId={execution.hexId} earlierId={chosen} address={address} />}
    </Paper>
  )
}

/** Executions that began before this one: those of its run, and the latest of other runs. */
function useEarlier(run: TestRun, execution: TestRunSummary, executions: readonly TestRunSummary[]) {
  const others = useRead('retrieveAllCollectionTests', {
    searchString: '',
    sortKey: 'scheduleTimestamp',
    sortOrder: -1,
    limit: 50,
    skip: 0,
    startTimestamp: 0,
    endTimestamp: 0,
    testingRunType: null,
  }).data
  const isEarlier = (one: TestRunSummary) =>
    one.hexId !== execution.hexId && one.startTimestamp <= execution.startTimestamp
  const label = (name: string, one: TestRunSummary) => ({
    value: one.hexId,
    label: `${name}, ${exactTime(one.startTimestamp)}`,
  })
  const names = new Map(others?.testingRuns?.map((other) => [other.hexId, runName(other)]) ?? [])
  const latest = Object.values(others?.latestTestingRunResultSummaries ?? {}).filter(
    (one) => one.testingRunHexId !== run.hexId && isEarlier(one),
  )
  const groups = [
    { group: 'This run', items: executions.filter(isEarlier).map((one) => label(runName(run), one)) },
    {
      group: 'Other runs',
      items: latest.map((one) => label(names.get(one.testingRunHexId) ?? 'Run', one)),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

interface ComparedProps {
  readonly laterId: string
  readonly earlierId: string
  readonly address: ReturnType<typeof useListAddress>
}

function Compared({ laterId, earlierId, address }: ComparedProps) {
  const { data, error, refetch } = useRead('compareExecutions', {
    testingRunResultSummaryHexId: laterId,
    earlierSummaryHexId: earlierId,
  })
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={4} label="Comparing the executions" />
  const shown = changes.find(({ change }) => change === address.one('change')) ?? null
  const rows = data.findings.filter(({ change }) => shown === null || change === shown.change)
  const all = Object.values(data.counts).reduce((sum, count) => sum + count, 0)
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label="Findings by change">
        <ChangeButton
          word="All"
          count={all}
          isOn={shown === null}
          onPress={() => address.change({ change: '' })}
        />
        {changes.map(({ change, word }) => (
          <ChangeButton
            key={change}
            word={word}
            count={data.counts[change]}
            isOn={shown?.change === change}
            onPress={() => address.change({ change })}
          />
        ))}
      </Group>
      {shown !== null && (
        <Text size="sm" c="dimmed">
          {shown.text}
        </Text>
      )}
      {all > data.findings.length && (
        <Alert color="yellow" p="xs">
          The worst {countOf(data.findings.length, 'finding')} of {countText(all)} are listed.
        </Alert>
      )}
      <Findings rows={rows} />
    </Stack>
  )
}

interface ChangeButtonProps {
  readonly word: string
  readonly count: number
  readonly isOn: boolean
  readonly onPress: () => void
}

function ChangeButton({ word, count, isOn, onPress }: ChangeButtonProps) {
  return (
    <Button size="xs" variant={isOn ? 'filled' : 'default'} aria-pressed={isOn} onClick={onPress}>
      {word} ({countText(count)})
    </Button>
  )
}

function Findings({ rows }: { rows: Comparison['findings'] }) {
  const tests = useTests()
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        No finding here.
      </Text>
    )
  }
  return (
    <CardFrame inset label="Compared findings">
      <Table aria-label="Compared findings" miw={760} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Change</Table.Th>
            <Table.Th>Severity</Table.Th>
            <Table.Th>Finding</Table.Th>
            <Table.Th>Endpoint</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const look = changes.find(({ change }) => change === row.change)
            const { apiCollectionId, method, url } = row.apiInfoKey
            return (
              <Table.Tr key={`${row.testSubCategory} ${apiCollectionId} ${method} ${url}`}>
                <Table.Td data-label="Change">
                  <Tag tone={look?.tone ?? 'gray'}>{look?.word ?? row.change}</Tag>
                </Table.Td>
                <Table.Td data-label="Severity">
                  <SeverityTag severity={row.severity} />
                </Table.Td>
                <Table.Td data-label="Finding">
                  <div>
                    <Anchor
                      component={Link}
                      to={`/results/${row.testingRunResultHexId ?? row.earlierResultHexId ?? ''}`}
                      size="sm"
                    >
                      <TestName tests={tests} id={row.testSubCategory} />
                    </Anchor>
                    {row.change === 'NOT_VERIFIED' && (
                      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                        {row.reason || 'The later execution did not check it.'}
                      </Text>
                    )}
                  </div>
                </Table.Td>
                <Table.Td data-label="Endpoint">
                  <EndpointLink endpointKey={row.apiInfoKey} />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}
