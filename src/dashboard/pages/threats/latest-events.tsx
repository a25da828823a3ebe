import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { MaliciousEvent } from '../../../contract/browser.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { actorAddress } from './actor-address.ts'
import { EventDialog } from './event-dialog.tsx'
import classes from './latest-events.module.css'

const most = 10

/** The newest events as they arrive. Paused, the list stays as it is, so that it can be read. */
export function LatestEvents() {
  const { data, error, refetch } = useRead(
    'fetchSuspectSampleData',
    { startTimestamp: 0, endTimestamp: 0, skip: 0, limit: most, sort: { detectedAt: -1 } },
    { refreshEvery: 15_000 },
  )
  const [held, setHeld] = useState<readonly MaliciousEvent[] | null>(null)
  const [shown, setShown] = useState<MaliciousEvent | null>(null)
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
              ? 'New events appear here.'
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
      {events !== undefined && (
        <Stack component="ol" gap={0} m={0} p={0} className={classes['list']}>
          {events.map((event) => (
            <EventLine key={event.id} event={event} onShow={() => setShown(event)} />
          ))}
        </Stack>
      )}
      {shown && (
        <EventDialog
          event={shown}
          previous={neighbour(events, shown, -1)}
          next={neighbour(events, shown, 1)}
          onShow={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </Paper>
  )
}

/** How many of the newest events a held list lacks. */
function newerThan(held: readonly MaliciousEvent[], live: readonly MaliciousEvent[]): number {
  const known = new Set(held.map(({ id }) => id))
  return live.filter(({ id }) => !known.has(id)).length
}

function neighbour(events: readonly MaliciousEvent[] | undefined, of: MaliciousEvent, step: -1 | 1) {
  const at = events?.findIndex(({ id }) => id === of.id) ?? -1
  return at === -1 ? null : (events?.[at + step] ?? null)
}

function EventLine({ event, onShow }: { event: MaliciousEvent; onShow: () => void }) {
  return (
    <li className={classes['line']}>
      <span className={classes['when']}>
        <TimeAgo seconds={event.timestamp} />
      </span>
      <span className={classes['severity']}>
        {event.severity !== '' && <SeverityTag severity={event.severity} />}
      </span>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={onShow}>
        {event.filterId}
      </Anchor>
      <Text span size="sm" className={classes['place']}>
        <MethodTag method={event.method} /> {event.host}
        {event.url}
      </Text>
      <Anchor component={Link} to={actorAddress(event.actor)} size="sm" className={classes['actor']}>
        {event.actor}
      </Anchor>
    </li>
  )
}
