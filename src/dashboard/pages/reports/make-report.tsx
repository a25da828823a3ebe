import {
  Button,
  Group,
  MultiSelect,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import { issueStatuses, severities } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useRead } from '../../data/use-operation.ts'
import { type ReportFilters, useReport } from '../../data/use-report.ts'
import { runName } from '../runs/columns.tsx'

const severityChoices = severities.map((value) => ({ value, label: severityWord(value) }))
const statusWords: Record<string, string> = { OPEN: 'Open', IGNORED: 'Ignored', FIXED: 'Fixed' }
const statusChoices = issueStatuses.map((value) => ({ value, label: statusWords[value] ?? value }))

/** Chooses what a report is about, and makes it. */
export function MakeReport() {
  const [about, setAbout] = useState('issues')
  const [filters, setFilters] = useState<ReportFilters | null>({ filterStatus: ['OPEN'] })
  const report = useReport(about === 'issues' ? 'issues.pdf' : 'run.pdf')
  return (
    <Paper withBorder p="md" component="section" aria-label="Create report">
      <Title order={2} mb="sm">
        Create report
      </Title>
      <Stack>
        <SegmentedControl
          aria-label="About"
          w="fit-content"
          maw="100%"
          styles={{ label: { whiteSpace: 'normal' } }}
          value={about}
          onChange={(next) => {
            setAbout(next)
            setFilters(next === 'issues' ? { filterStatus: ['OPEN'] } : null)
          }}
          data={[
            { value: 'issues', label: 'Issues' },
            { value: 'run', label: 'Last execution of a run' },
          ]}
        />
        {about === 'issues' ? (
          <IssueFilters filters={filters ?? {}} onChange={setFilters} />
        ) : (
          <RunChoice
            onChange={(id) => setFilters(id === null ? null : { testingRunResultSummaryId: [id] })}
          />
        )}
        {report.error && <FailureNotice error={report.error} />}
        <Group>
          <Button
            leftSection={<IconFileTypePdf size={16} />}
            loading={report.isPending}
            disabled={filters === null}
            onClick={() => filters !== null && report.mutate(filters)}
          >
            Generate PDF
          </Button>
          <Text size="sm" c="dimmed">
            Downloads when ready, and stays in the list below.
          </Text>
        </Group>
      </Stack>
    </Paper>
  )
}

interface IssueFiltersProps {
  readonly filters: ReportFilters
  readonly onChange: (filters: ReportFilters) => void
}

function IssueFilters({ filters, onChange }: IssueFiltersProps) {
  const { names } = useCollectionNames()
  const collections = [...names].map(([id, label]) => ({ value: String(id), label }))
  const fields = [
    { name: 'filterStatus', label: 'Status', all: 'All', data: statusChoices },
    { name: 'filterSeverity', label: 'Severity', all: 'All', data: severityChoices },
    { name: 'filterCollectionsId', label: 'Collections', all: 'All', data: collections },
  ] as const
  return (
    <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
      {fields.map(({ name, label, all, data }) => (
        <MultiSelect
          key={name}
          label={label}
          placeholder={(filters[name]?.length ?? 0) === 0 ? all : undefined}
          data={[...data]}
          value={filters[name] ?? []}
          onChange={(values) => onChange({ ...filters, [name]: values })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
          miw={180}
        />
      ))}
    </Group>
  )
}

function RunChoice({ onChange }: { onChange: (executionId: string | null) => void }) {
  const { data, error, refetch } = useRead('retrieveAllCollectionTests', {
    searchString: '',
    sortKey: 'scheduleTimestamp',
    sortOrder: -1,
    limit: 100,
    skip: 0,
    startTimestamp: 0,
    endTimestamp: 0,
    testingRunType: null,
  })
  const executions = new Map(
    Object.values(data?.latestTestingRunResultSummaries ?? {}).map((one) => [one.testingRunHexId, one.hexId]),
  )
  const runs = data?.testingRuns?.filter(({ hexId }) => executions.has(hexId)) ?? []
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  return (
    <Select
      label="Run"
      placeholder={data !== undefined && runs.length === 0 ? 'Nothing was executed yet' : 'Choose a run'}
      disabled={runs.length === 0}
      data={runs.map((run) => ({
        value: executions.get(run.hexId)!,
        label: `${runName(run)}, ${run.hexId.slice(-6)}`,
      }))}
      onChange={onChange}
      searchable
      maw={520}
    />
  )
}
