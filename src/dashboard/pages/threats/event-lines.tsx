import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { MaliciousEvent } from '../../../contract/browser.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { actorAddress } from './actor-address.ts'
import { EventDialog } from './event-dialog.tsx'
import classes from './event-lines.module.css'
import { neighbour } from './neighbour.ts'
import { useFilterNames } from './use-filter-names.ts'

/** Events, a line each, which opens the event. */
export function EventLines({ events }: { events: readonly MaliciousEvent[] }) {
  const [shown, setShown] = useState<MaliciousEvent | null>(null)
  const { nameOf } = useFilterNames()
  return (
    <>
      <Stack component="ol" gap={0} m={0} p={0} className={classes['list']}>
        {events.map((event) => (
          <EventLine
            key={event.id}
            event={event}
            filter={nameOf(event.filterId)}
            onShow={() => setShown(event)}
          />
        ))}
      </Stack>
      {shown && (
        <EventDialog
          event={shown}
          previous={neighbour(events, shown, -1)}
          next={neighbour(events, shown, 1)}
          onShow={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}

interface EventLineProps {
  readonly event: MaliciousEvent
  /** Name of the filter that found it. */
  readonly filter: string
  readonly onShow: () => void
}

function EventLine({ event, filter, onShow }: EventLineProps) {
  return (
    <li className={classes['line']}>
      <span className={classes['when']}>
        <TimeAgo seconds={event.timestamp} />
      </span>
      <span className={classes['severity']}>
        {event.severity !== '' && <SeverityTag severity={event.severity} />}
      </span>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={onShow}>
        {filter}
      </Anchor>
      <Text span size="sm" className={classes['place']} title={event.host + event.url}>
        <MethodTag method={event.method} /> {event.host}
        {event.url}
      </Text>
      <Anchor
        component={Link}
        to={actorAddress(event.actor)}
        size="sm"
        className={classes['actor']}
        title={event.actor}
      >
        {event.actor}
      </Anchor>
    </li>
  )
}
