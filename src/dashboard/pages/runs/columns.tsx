import { Anchor, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { SeverityCounts, TestRun } from '../../../contract/browser.ts'
import { ClampedText } from '../../components/clamped-text.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { RunProgress, RunStateTag } from '../../components/testing/run-state.tsx'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { targetText } from '../../data/use-collection-names.ts'
import { durationText } from '../../data/words.ts'
import type { RunRow } from './run-query.ts'

const column = createColumnHelper<RunRow>()

const periods: Record<number, string> = { 86400: 'Daily', 604800: 'Weekly', 2592000: 'Monthly' }

/** How a run repeats, in a word. */
export function recurrenceWord({ periodInSeconds }: TestRun): string {
  if (periodInSeconds === 0) return 'Once'
  if (periodInSeconds < 0) return 'Continuous'
  return periods[periodInSeconds] ?? `Every ${durationText(periodInSeconds)}`
}

/** Name of a run, or what to call one without. */
export function runName(run: Pick<TestRun, 'name' | 'hexId'>): string {
  return run.name?.trim() || `Run ${run.hexId.slice(-6)}`
}

/** What the newest execution of a run found; undefined when there is none. */
function Findings({ counts }: { counts: Partial<SeverityCounts> | undefined }) {
  return <SeverityCountTags counts={counts ?? {}} isUntested={counts === undefined} />
}

/** Columns of the list of runs. Ids of sortable ones are sort keys of the server. */
export function runColumns(names: ReadonlyMap<number, string>) {
  return [
    column.accessor(({ run }) => runName(run), {
      id: 'name',
      header: 'Run',
      cell: ({ row, getValue }) => (
        <Anchor
          component={Link}
          to={`/runs/${row.original.run.hexId}`}
          size="sm"
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
          lineClamp={2}
          title={getValue()}
          {...rowLinkProps}
        >
          {getValue()}
        </Anchor>
      ),
      meta: { minWidth: 180 },
    }),
    column.accessor(({ run }) => run.state, {
      id: 'state',
      header: 'State',
      cell: ({ row: { original }, getValue }) =>
        original.run.state === 'RUNNING' && original.latest ? (
          <RunProgress summary={original.latest} label={runName(original.run)} />
        ) : (
          <RunStateTag state={getValue()} />
        ),
    }),
    column.accessor(({ latest }) => latest?.countCauses ?? latest?.countIssues, {
      id: 'findings',
      header: 'Findings',
      enableSorting: false,
      cell: ({ getValue }) => <Findings counts={getValue()} />,
    }),
    // Not an accessor: the table keeps its values, and names may become known after the row.
    column.display({
      id: 'target',
      header: 'Target',
      cell: ({ row: { original } }) => (
        <ClampedText span size="sm" lines={2} text={targetText(original.run.testingEndpoints, names)} />
      ),
      meta: { minWidth: 140 },
    }),
    column.accessor(({ run }) => recurrenceWord(run), {
      id: 'recurrence',
      header: 'Repeats',
      enableSorting: false,
    }),
    column.accessor(({ run }) => run.scheduleTimestamp, {
      id: 'scheduleTimestamp',
      header: 'Scheduled',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
    column.accessor(({ run }) => Math.max(run.endTimestamp, 0), {
      id: 'endTimestamp',
      header: 'Ended',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} never="not yet" />,
      sortDescFirst: true,
    }),
    column.accessor(({ run }) => run.userEmail, {
      id: 'by',
      header: 'By',
      enableSorting: false,
      cell: ({ getValue }) => (
        <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {getValue()}
        </Text>
      ),
    }),
  ]
}
