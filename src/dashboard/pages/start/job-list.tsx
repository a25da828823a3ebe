import { Alert, Anchor, Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import type { ImportJob } from './use-imports.ts'

/** The files of this visit: how far each is, and how it ended. */
export function JobList({ jobs }: { jobs: readonly ImportJob[] }) {
  return (
    <Stack gap="xs" aria-live="polite" data-testid="import-jobs">
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </Stack>
  )
}

function Job({ job }: { job: ImportJob }) {
  if (job.phase === 'failed') {
    return (
      <section aria-label={`Import of ${job.fileName}`}>
        <Text size="sm" fw={600} mb={4}>
          {job.fileName} was not imported
        </Text>
        <FailureNotice error={job.failure} />
      </section>
    )
  }
  if (job.report !== null) {
    return (
      <Alert
        color={job.report.skipped > 0 ? 'yellow' : 'green'}
        icon={<IconCheck size={18} />}
        title={`${job.fileName} is imported`}
      >
        <Group>
          <Text size="sm">
            {job.report.taken} taken, {job.report.skipped} skipped, {job.report.duplicates} known before.
          </Text>
          <Anchor component={Link} to={`/start/imports/${job.report.uploadId}`} size="sm">
            See the report
          </Anchor>
        </Group>
      </Alert>
    )
  }
  return <Running job={job} />
}

const phases: Record<string, string> = {
  waiting: 'waits for the file before it',
  reading: 'is being read',
  analysing: 'is sent and analysed',
}

function Running({ job }: { job: ImportJob }) {
  const [now, setNow] = useState(job.startedAt)
  const { start, stop } = useInterval(() => setNow(Date.now()), 500)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  const seconds = Math.max(0, Math.round((now - job.startedAt) / 1000))
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <Loader size="xs" aria-hidden />
        <Text size="sm">
          {job.fileName} ({(job.bytes / 1_048_576).toFixed(1)} MB) {phases[job.phase]}
          {seconds > 1 ? `, ${seconds} s so far` : ''}
        </Text>
      </Group>
    </Paper>
  )
}
