import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { eventStatuses, type MaliciousEvent } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ExchangeView } from '../../components/exchange/exchange-view.tsx'
import { MarkedPart } from '../../components/exchange/marked-text.tsx'
import { readSample } from '../../components/exchange/read-sample.ts'
import { RevealSwitch } from '../../components/exchange/reveal-switch.tsx'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { exactTime } from '../../components/time-ago.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { actorAddress } from './actor-address.ts'
import { countryName } from './country-name.ts'
import { eventReads } from './events.tsx'
import { MarkFalseDialog } from './mark-false-dialog.tsx'
import { MatchView } from './match-view.tsx'
import { isTruncated, marksOf, matchesIn } from './matches.ts'
import { useFilterNames } from './use-filter-names.ts'

const statusWords: Record<MaliciousEvent['status'], string> = {
  ACTIVE: 'Set active',
  UNDER_REVIEW: 'Take under review',
  IGNORED: 'Ignore',
}

interface EventDialogProps {
  readonly event: MaliciousEvent
  /** Events before and after it in the list; null at the ends of the page. */
  readonly previous: MaliciousEvent | null
  readonly next: MaliciousEvent | null
  readonly onShow: (event: MaliciousEvent) => void
  readonly onClose: () => void
}

/** One event with its evidence: what matched where, and the whole messages. The keys j and k go through the list. */
export function EventDialog({ event, previous, next, onShow, onClose }: EventDialogProps) {
  const [isFalse, setFalse] = useState(false)
  const { nameOf } = useFilterNames()
  // The form takes the place of the dialog, so what opened it gets the focus back from either.
  const opener = useRef(document.activeElement instanceof HTMLElement ? document.activeElement : null)
  useHotkeys(
    isFalse
      ? []
      : [
          ['j', () => next && onShow(next)],
          ['k', () => previous && onShow(previous)],
        ],
  )
  if (isFalse)
    return (
      <MarkFalseDialog event={event} returnTo={opener} onClose={() => setFalse(false)} onDone={onClose} />
    )
  return (
    <Dialog onClose={onClose} returnTo={opener} title={nameOf(event.filterId)} size="xl">
      <Group gap="sm" mb="md">
        {event.severity !== '' && <SeverityTag severity={event.severity} />}
        <Text size="sm" flex="1 0 auto">
          {exactTime(event.timestamp)}
        </Text>
        <Button
          size="xs"
          variant="default"
          disabled={previous === null}
          onClick={() => previous && onShow(previous)}
        >
          Previous (k)
        </Button>
        <Button size="xs" variant="default" disabled={next === null} onClick={() => next && onShow(next)}>
          Next (j)
        </Button>
      </Group>
      <EventEvidence key={event.id} event={event} onFalse={() => setFalse(true)} onClose={onClose} />
    </Dialog>
  )
}

interface EventEvidenceProps {
  readonly event: MaliciousEvent
  readonly onFalse: () => void
  readonly onClose: () => void
}

function EventEvidence({ event, onFalse, onClose }: EventEvidenceProps) {
  const [isRevealed, setRevealed] = useState(false)
  const { data, error, refetch } = useRead('fetchAggregateMaliciousRequests', {
    actor: event.actor,
    filterId: event.filterId,
    refId: event.refId,
    eventType: event.eventType,
    unmasked: isRevealed,
  })
  const messages = data?.maliciousPayloadsResponses ?? undefined
  return (
    <Stack>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {event.method} {event.host}
        <MarkedPart text={event.url} phrases={phrasesOfUrl(messages)} />
      </Text>
      <Facts
        facts={[
          [
            'Actor',
            <Anchor key="actor" component={Link} to={actorAddress(event.actor)} size="sm">
              {event.actor}
            </Anchor>,
          ],
          [
            'Filter',
            <Anchor
              key="filter"
              component={Link}
              to={`/threats/filters/${encodeURIComponent(event.filterId)}`}
              size="sm"
            >
              {event.filterId}
            </Anchor>,
          ],
          ['Source address', event.ip || '–'],
          ['Country', countryName(event.country)],
          ['Kind', event.eventType === 'AGGREGATED' ? 'several messages together' : 'one message'],
          ['Worked', event.successfulExploit ? 'the response says so' : 'not known'],
        ]}
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {messages === undefined && !error && <TableSkeleton rows={4} label="Loading the messages" />}
      {messages?.length === 0 && (
        <Text size="sm" c="dimmed">
          The messages of this event are no longer stored.
        </Text>
      )}
      {messages !== undefined && messages.length > 0 && (
        <RevealSwitch isOn={isRevealed} onChange={setRevealed} />
      )}
      {messages?.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one event never move
        <Message key={at} orig={one.orig} metadata={one.metadata} at={one.ts} />
      ))}
      <EventActions event={event} onFalse={onFalse} onClose={onClose} />
    </Stack>
  )
}

function EventActions({ event, onFalse, onClose }: EventEvidenceProps) {
  const mayWrite = useMayWrite()
  const update = useWrite('updateMaliciousEventStatus', eventReads)
  return (
    <>
      {update.error && <FailureNotice error={update.error} />}
      <Group justify="flex-end">
        {mayWrite && event.status !== 'IGNORED' && (
          <Button variant="default" onClick={onFalse}>
            Mark as false positive
          </Button>
        )}
        {mayWrite &&
          eventStatuses
            .filter((status) => status !== event.status)
            .map((status) => (
              <Button
                key={status}
                variant="default"
                loading={update.isPending}
                onClick={() => update.mutate({ eventIds: [event.id], status }, { onSuccess: onClose })}
              >
                {statusWords[status]}
              </Button>
            ))}
        <Button onClick={onClose}>Done</Button>
      </Group>
    </>
  )
}

/** What matched in the URL of an event. */
function phrasesOfUrl(messages: readonly { readonly metadata: string }[] | undefined): string[] {
  return (messages ?? [])
    .flatMap(({ metadata }) => matchesIn(metadata))
    .filter(({ part }) => part === 'URL')
    .map(({ phrase }) => phrase)
}

function Message({ orig, metadata, at }: { orig: string; metadata: string; at: number }) {
  const sample = readSample(orig)
  const matches = useMemo(() => matchesIn(metadata), [metadata])
  const marks = useMemo(() => marksOf(matches), [matches])
  return (
    <section aria-label={`Message of ${exactTime(at)}`}>
      <Title order={3} mb={4}>
        Message of {exactTime(at)}
      </Title>
      {matches.map((match) => (
        <MatchView key={`${match.place} ${match.phrase}`} match={match} sample={sample} />
      ))}
      {isTruncated(metadata) && (
        <Text size="sm" mb={4}>
          Truncated: parts of this message exceed a limit and were not inspected.
        </Text>
      )}
      {sample ? (
        <ExchangeView {...sample} marks={marks} />
      ) : (
        <Text size="sm">The message cannot be shown.</Text>
      )}
    </section>
  )
}
