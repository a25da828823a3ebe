import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { MaliciousEvent } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { useRead } from '../../data/use-operation.ts'
import { EventLines } from './event-lines.tsx'

const most = 10

/** The newest events as they arrive. Paused, the list stays as it is, so that it can be read. */
export function LatestEvents() {
  const { data, error, refetch } = useRead(
    'fetchSuspectSampleData',
    { startTimestamp: 0, endTimestamp: 0, skip: 0, limit: most, sort: { detectedAt: -1 } },
    { refreshEvery: 15_000 },
  )
  const [held, setHeld] = useState<readonly MaliciousEvent[] | null>(null)
  const live = data?.maliciousEvents ?? undefined
  const events = held ?? live
  const waiting = held === null ? 0 : newerThan(held, live ?? [])
  return (
    <Paper withBorder p="md" component="section" aria-label="Latest events">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Latest events</Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed" aria-live="polite">
            {held === null
              ? error === null && 'New events appear here.'
              : `Paused${waiting === 0 ? '' : `; ${waiting === most ? `at least ${most}` : waiting} new`}.`}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={held === null ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
            disabled={live === undefined}
            onClick={() => setHeld(held === null ? (live ?? []) : null)}
          >
            {held === null ? 'Pause' : 'Continue'}
          </Button>
          <Anchor component={Link} to="/threats/events" size="sm">
            All events
          </Anchor>
        </Group>
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {events === undefined && !error && <TableSkeleton rows={4} label="Loading the events" />}
      {events !== undefined && <EventLines events={events} />}
    </Paper>
  )
}

/** How many of the newest events a held list lacks. */
function newerThan(held: readonly MaliciousEvent[], live: readonly MaliciousEvent[]): number {
  const known = new Set(held.map(({ id }) => id))
  return live.filter(({ id }) => !known.has(id)).length
}
