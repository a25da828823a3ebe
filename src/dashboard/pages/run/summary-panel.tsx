import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { TestRun, TestRunSummary } from '../../../contract/browser.ts'
import { CountCard } from '../../components/count-card.tsx'
import { Facts } from '../../components/facts.tsx'
import { isUnderWay, RunProgress, RunStateTag } from '../../components/testing/run-state.tsx'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { targetText, useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText, durationText } from '../../data/words.ts'
import { recurrenceWord } from '../runs/columns.tsx'
import { useCounts } from './run-data.ts'

interface SummaryPanelProps {
  readonly run: TestRun
  readonly execution: TestRunSummary
}

/** An execution at a glance: state, progress, findings, counts by verdict, and what the run was asked to do. */
export function SummaryPanel({ run, execution }: SummaryPanelProps) {
  const live = isUnderWay(execution.state)
  const { counts } = useCounts(execution.hexId, live)
  const failure = execution.metadata?.['error']
  return (
    <Stack>
      {failure !== undefined && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="This execution failed" role="alert">
          {failure}
        </Alert>
      )}
      <Paper withBorder p="md" component="section" aria-label="Summary">
        <Group justify="space-between" align="flex-start" mb="sm">
          <Group gap="sm">
            <Title order={2}>Summary</Title>
            <RunStateTag state={execution.state} />
          </Group>
          <Group gap="xs">
            <Text size="sm">Issues:</Text>
            <SeverityCountTags counts={execution.countCauses ?? execution.countIssues} />
          </Group>
        </Group>
        {execution.state === 'RUNNING' && <RunProgress summary={execution} label="Progress of the run" />}
        {counts && (
          <Group gap="sm" my="sm">
            <CountCard value={counts.VULNERABLE} word="vulnerable" />
            <CountCard value={counts.SECURED} word="passed" />
            <CountCard value={counts.SKIPPED_EXEC} word="skipped" />
            <CountCard value={counts.SKIPPED_EXEC_NEED_CONFIG} word="need configuration" />
            <CountCard value={counts.SKIPPED_EXEC_API_REQUEST_FAILED} word="not verified" />
          </Group>
        )}
        <RunFacts run={run} execution={execution} />
        {!live && <AnswerHints run={run} execution={execution} />}
      </Paper>
    </Stack>
  )
}

function RunFacts({ run, execution }: SummaryPanelProps) {
  const { names } = useCollectionNames()
  const roles = useRead('fetchTestRoles', {}).data?.testRoles
  const configuration = run.testingRunConfig
  const role = configuration?.testRoleId
  const until = execution.endTimestamp > 0 ? execution.endTimestamp : Math.floor(Date.now() / 1000)
  const took =
    execution.state === 'SCHEDULED' ? '–' : durationText(Math.max(0, until - execution.startTimestamp))
  return (
    <Facts
      facts={[
        ['Target', targetText(run.testingEndpoints, names)],
        [
          'Plan',
          execution.totalApis === 0
            ? 'not made yet'
            : `${countOf(execution.testInitiatedCount, 'test')} × ${countOf(execution.totalApis, 'endpoint')}`,
        ],
        ['Results', countText(execution.testResultsCount)],
        [
          execution.state === 'SCHEDULED' ? 'Starts' : 'Started',
          <TimeAgo key="start" seconds={execution.startTimestamp} />,
        ],
        ['Took', took],
        [
          'Repeats',
          run.scheduleTimeZone
            ? `${recurrenceWord(run)}, in the time of ${run.scheduleTimeZone}`
            : recurrenceWord(run),
        ],
        [
          'Role under test',
          role ? (roles?.find(({ hexId }) => hexId === role)?.name ?? role) : 'as recorded',
        ],
        ['Time limit', run.testRunTime > 0 ? durationText(run.testRunTime) : '30 min'],
        ['Requests at once', run.maxConcurrentRequests > 0 ? countText(run.maxConcurrentRequests) : '10'],
        ...(configuration?.overriddenTestAppUrl
          ? [['Sent to', configuration.overriddenTestAppUrl] as const]
          : []),
        ['By', run.triggeredBy ?? run.userEmail],
      ]}
    />
  )
}

const hintWords: Record<string, string> = {
  HTTP_429: 'too many requests (429)',
  HTTP_5XX: 'server errors (5xx)',
  HTTP_401: 'unauthorized (401)',
  HTTP_403: 'forbidden (403)',
  CLOUDFLARE: 'block pages',
}

/** Answers that hint at a target which blocks or breaks: then a passed test may mean less. */
function AnswerHints({ run, execution }: SummaryPanelProps) {
  const { data } = useRead('fetchTestResultsStatsCount', {
    testingRunResultSummaryHexId: execution.hexId,
    testingRunHexId: run.hexId,
  })
  const seen = Object.entries(data?.counts ?? {}).filter(([, count]) => count > 0)
  if (seen.length === 0) return null
  return (
    <Text size="sm" c="dimmed" mt="sm">
      Last answer to checks that found nothing:{' '}
      {seen.map(([name, count]) => `${countText(count)} ${hintWords[name] ?? name}`).join('; ')}.
    </Text>
  )
}
