import { Anchor, Breadcrumbs, Button, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { countOf, countText } from '../../data/words.ts'
import { ActorOverviewCards, CutNotice } from './actor-overview.tsx'
import { ActorStatusDialog, ActorStatusTag } from './actor-status.tsx'
import { countryName } from './country-name.ts'
import { TimelineCard } from './timeline-card.tsx'
import { useFilterNames } from './use-filter-names.ts'

const shown = 100

/** One actor: who, what they did, and what was done about them. */
export default function Actor() {
  const address = useListAddress()
  const name = address.one('actor')
  const mayWrite = useMayWrite()
  const { nameOf } = useFilterNames()
  const [changing, setChanging] = useState(false)
  const { data, error, refetch } = useRead('fetchThreatActors', {
    startTs: 0,
    endTs: 0,
    actorId: [name],
    limit: 1,
    skip: 0,
  })
  const actor = data?.actors?.find(({ id }) => id === name)
  return (
    <>
      <PageHeader
        title={name}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/threats/actors" size="sm">
              Actors
            </Anchor>
          </Breadcrumbs>
        }
        actions={
          mayWrite &&
          actor && (
            <Button leftSection={<IconUserShield size={16} />} onClick={() => setChanging(true)}>
              Change the status
            </Button>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Stack>
        {data !== undefined && actor === undefined && (
          <Text size="sm">No events of this actor are stored, or you do not have access to them.</Text>
        )}
        {actor && (
          <Paper withBorder p="md" component="section" aria-label="Who">
            <Facts
              facts={[
                ['Status', <ActorStatusTag key="status" status={actor.status} />],
                ['Country', countryName(actor.country)],
                ['Newest attack', nameOf(actor.latestAttack)],
                ['First seen', <TimeAgo key="first" seconds={actor.discoveredAt} />],
                ['Last seen', <TimeAgo key="last" seconds={actor.lastSeen} />],
              ]}
            />
          </Paper>
        )}
        <ActorOverviewCards actor={name} />
        <TimelineCard
          title="Timeline"
          address={address}
          start={0}
          end={0}
          filter={{ actors: [name] }}
          query={`actor=${encodeURIComponent(name)}`}
          none="No events stored."
        />
        <ActorEvents actor={name} />
        <StatusHistory actor={name} />
      </Stack>
      {changing && actor && (
        <ActorStatusDialog actor={name} status={actor.status} onClose={() => setChanging(false)} />
      )}
    </>
  )
}

function ActorEvents({ actor }: { actor: string }) {
  const { data, error, refetch } = useRead('fetchThreatsForActor', { actor, limit: shown })
  const total = useRead('fetchThreatActorOverview', { actor }).data?.events ?? 0
  const { nameOf } = useFilterNames()
  const events = data?.actorActivities ?? undefined
  return (
    <Paper withBorder component="section" aria-label="Activity">
      <Title order={2} p="md" pb="xs">
        Activity
      </Title>
      {events !== undefined && total > events.length && (
        <CutNotice actor={actor}>
          Newest {countText(events.length)} of {countOf(total, 'event')}.
        </CutNotice>
      )}
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {events === undefined && !error && <TableSkeleton rows={5} label="Loading the activity" />}
      {events?.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          No events stored.
        </Text>
      )}
      {events !== undefined && events.length > 0 && (
        <CardFrame label="Activity">
          <Table aria-label="Activity" miw={680} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Found by</Table.Th>
                <Table.Th>Severity</Table.Th>
                <Table.Th>Message</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {events.map((event, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: events of this list have no name
                <Table.Tr key={at}>
                  <Table.Td data-label="When">
                    <TimeAgo seconds={event.detectedAt} />
                  </Table.Td>
                  <Table.Td data-label="Found by">
                    <Anchor
                      component={Link}
                      to={`/threats/events?days=0&actor=${encodeURIComponent(actor)}&filter=${encodeURIComponent(event.subCategory)}`}
                      size="sm"
                      {...rowLinkProps}
                    >
                      {nameOf(event.subCategory)}
                    </Anchor>
                  </Table.Td>
                  <Table.Td data-label="Severity" style={{ order: -2 }}>
                    {event.severity !== '' && <SeverityTag severity={event.severity} />}
                  </Table.Td>
                  <Table.Td data-label="Message" style={{ overflowWrap: 'anywhere', order: -1 }}>
                    <span>
                      {event.method} {event.host}
                      {event.url}
                    </span>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
    </Paper>
  )
}

function StatusHistory({ actor }: { actor: string }) {
  const { data, error, refetch } = useRead('fetchThreatActorHistory', { actor })
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.statusChanges.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Status history">
      <Title order={2} mb="xs">
        Status history
      </Title>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.statusChanges.map((one) => (
          <li key={`${one.changedAt} ${one.toStatus}`}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              Became {one.toStatus}; was {one.fromStatus}
              {one.reason !== '' && `: ${one.reason}`}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              <TimeAgo seconds={one.changedAt} /> {one.changedBy === '' ? '(expired)' : `by ${one.changedBy}`}
              {one.expiresAt > 0 && (
                <>
                  , until <TimeAgo seconds={one.expiresAt} />
                </>
              )}
            </Text>
          </li>
        ))}
      </Stack>
    </Paper>
  )
}
