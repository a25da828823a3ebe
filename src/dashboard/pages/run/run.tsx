import { Anchor, Breadcrumbs, Paper, Stack } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { DetailFailure } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { useMayWrite } from '../../data/use-own-user.ts'
import { runName } from '../runs/columns.tsx'
import { ComparisonPanel } from './comparison.tsx'
import { Executions } from './executions.tsx'
import { LogPanel } from './log-panel.tsx'
import { ProgressPanel } from './progress-panel.tsx'
import { ResultsPanel } from './results-panel.tsx'
import { RunActions, RunReport } from './run-actions.tsx'
import { useRun } from './run-data.ts'
import { SummaryPanel } from './summary-panel.tsx'

/** One run: what it found, what it left out and why, and its earlier executions. */
export default function Run() {
  const { run: runId = '' } = useParams()
  const { run, execution, executions, error, refetch, isPending } = useRun(runId)
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHeader
        title={run === null ? 'Test run' : runName(run)}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/runs" size="sm">
              Test runs
            </Anchor>
          </Breadcrumbs>
        }
        actions={
          run !== null && (
            <>
              {execution !== null && <RunReport execution={execution} />}
              {mayWrite && <RunActions run={run} />}
            </>
          )
        }
      />
      {error && <DetailFailure kind="run" error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Paper withBorder>
          <TableSkeleton label="Loading the run" />
        </Paper>
      )}
      {run !== null && (
        <Stack>
          {execution === null ? (
            <Paper withBorder>
              <EmptyState icon={<IconClock size={28} />} title="Not executed yet">
                The run waits for its time. Its first results appear here when it starts.
              </EmptyState>
            </Paper>
          ) : (
            <>
              <SummaryPanel run={run} execution={execution} />
              {executions.length > 1 && (
                <Executions runId={run.hexId} executions={executions} chosenId={execution.hexId} />
              )}
              <ComparisonPanel run={run} execution={execution} executions={executions} />
              {isUnderWay(execution.state) ? (
                <>
                  <ProgressPanel key={`matrix ${execution.hexId}`} execution={execution} />
                  <ResultsPanel execution={execution} />
                </>
              ) : (
                <>
                  <ResultsPanel execution={execution} />
                  <ProgressPanel key={`matrix ${execution.hexId}`} execution={execution} />
                </>
              )}
              <LogPanel key={execution.hexId} runId={run.hexId} execution={execution} />
            </>
          )}
        </Stack>
      )}
    </>
  )
}
