import { Alert, Anchor, Paper, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../contract/browser.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { exactTime, TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText } from '../../data/words.ts'
import { eventsOf as eventsAt } from './apis.tsx'
import { useFilterNames } from './use-filter-names.ts'

type Overview = ResponseOf<'fetchThreatActorOverview'>

/** What an actor did: whether a block holds, sessions, and endpoints. */
export function ActorOverviewCards({ actor }: { actor: string }) {
  const { data, error, refetch } = useRead('fetchThreatActorOverview', { actor }, { refreshEvery: 15_000 })
  if (data === undefined) {
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Paper withBorder>
        <TableSkeleton rows={4} label="Loading what the actor did" />
      </Paper>
    )
  }
  return (
    <>
      {data.block && <BlockNotice block={data.block} reads={data.blockListReads} />}
      <Sessions actor={actor} sessions={data.sessions} total={data.events} />
      <Endpoints actor={actor} endpoints={data.endpoints} total={data.events} />
    </>
  )
}

/** Says that a list of what an actor did is cut, and leads to all events. */
export function CutNotice({ actor, children }: { actor: string; children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" px="md" pb="xs">
      {children}{' '}
      <Anchor
        component={Link}
        size="sm"
        underline="always"
        to={`/threats/events?days=0&actor=${encodeURIComponent(actor)}`}
      >
        All events
      </Anchor>
    </Text>
  )
}

/** Events of the rows of a list. */
function eventsOf(rows: readonly { readonly events: number }[]): number {
  return rows.reduce((sum, { events }) => sum + events, 0)
}

interface BlockNoticeProps {
  readonly block: NonNullable<Overview['block']>
  readonly reads: Overview['blockListReads']
}

/** Whether a block works: what came since, and whether a gateway fetched the list after it. */
function BlockNotice({ block, reads }: BlockNoticeProps) {
  const fetched = reads.filter(({ fetchedAt }) => fetchedAt >= block.since)
  const newest = reads[0]
  return (
    <Alert
      color={block.events === 0 ? 'green' : 'orange'}
      title={`Since blocked: ${countOf(block.events, 'attack event')}`}
      role="status"
    >
      <Text size="sm">
        Blocked <TimeAgo seconds={block.since} />
        {block.until > 0 && (
          <>
            , until <TimeAgo seconds={block.until} />
          </>
        )}
        .{' '}
        {block.lastEventAt > 0 && (
          <>
            The last event was <TimeAgo seconds={block.lastEventAt} />.
          </>
        )}
      </Text>
      <Text size="sm">
        {newest === undefined ? (
          'No gateway has fetched the block list with an API key yet. Gateways that read the file in the data folder are not noticed here.'
        ) : (
          <>
            Block list last fetched <TimeAgo seconds={newest.fetchedAt} /> as {newest.format}
            {fetched.length === 0 ? ', before this actor was blocked.' : '.'}
          </>
        )}
      </Text>
    </Alert>
  )
}

interface SessionsProps {
  readonly actor: string
  readonly sessions: Overview['sessions']
  /** Stored events of the actor. */
  readonly total: number
}

function Sessions({ actor, sessions, total }: SessionsProps) {
  const { nameOf } = useFilterNames()
  if (sessions.length === 0) return null
  return (
    <Paper withBorder component="section" aria-label="Sessions">
      <Title order={2} p="md" pb={0}>
        Sessions
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        Events with less than half an hour between them.
      </Text>
      {eventsOf(sessions) < total && (
        <CutNotice actor={actor}>
          Newest {countOf(sessions.length, 'session')}; older events are not listed here.
        </CutNotice>
      )}
      <CardFrame label="Sessions">
        <Table aria-label="Sessions" miw={680} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Began</Table.Th>
              <Table.Th>Lasted</Table.Th>
              <Table.Th>Worst</Table.Th>
              <Table.Th ta="right">Events</Table.Th>
              <Table.Th ta="right">Endpoints</Table.Th>
              <Table.Th>Found by</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sessions.map((one) => (
              <Table.Tr key={one.startedAt}>
                <Table.Td data-label="Began" miw={140}>
                  {exactTime(one.startedAt)}
                </Table.Td>
                <Table.Td data-label="Lasted" style={{ whiteSpace: 'nowrap' }}>
                  {lengthText(one.endedAt - one.startedAt)}
                </Table.Td>
                <Table.Td data-label="Worst">
                  {one.worstSeverity !== '' && <SeverityTag severity={one.worstSeverity} />}
                </Table.Td>
                <Table.Td ta="right" data-label="Events">
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/threats/events?from=${one.startedAt}&to=${one.endedAt}&actor=${encodeURIComponent(actor)}`}
                    aria-label={`${countOf(one.events, 'event')} of the session of ${exactTime(one.startedAt)}`}
                  >
                    {countText(one.events)}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right" data-label="Endpoints">
                  {countText(one.endpoints)}
                </Table.Td>
                <Table.Td data-label="Found by" style={{ overflowWrap: 'anywhere' }}>
                  {one.filterIds.map(nameOf).join(', ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </Paper>
  )
}

/** "12 seconds", "3 minutes", "2 hours". */
function lengthText(seconds: number): string {
  if (seconds < 60) return countOf(Math.max(seconds, 1), 'second')
  if (seconds < 3_600) return countOf(Math.round(seconds / 60), 'minute')
  return countOf(Math.round(seconds / 3_600), 'hour')
}

interface EndpointsProps {
  readonly actor: string
  readonly endpoints: Overview['endpoints']
  /** Stored events of the actor. */
  readonly total: number
}

function Endpoints({ actor, endpoints, total }: EndpointsProps) {
  const { nameOf } = useFilterNames()
  if (endpoints.length === 0) return null
  return (
    <Paper withBorder component="section" aria-label="Endpoints touched">
      <Title order={2} p="md" pb="xs">
        Endpoints touched
      </Title>
      {eventsOf(endpoints) < total && (
        <CutNotice actor={actor}>
          {countOf(endpoints.length, 'endpoint')} with the most events; others are not listed here.
        </CutNotice>
      )}
      <CardFrame label="Endpoints touched">
        <Table aria-label="Endpoints touched" miw={680} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Endpoint</Table.Th>
              <Table.Th ta="right">Events</Table.Th>
              <Table.Th>Found by</Table.Th>
              <Table.Th>First</Table.Th>
              <Table.Th>Last</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {endpoints.map((one) => (
              <Table.Tr key={`${one.method} ${one.host} ${one.path} ${one.apiCollectionId}`}>
                <Table.Td data-label="Endpoint" style={{ overflowWrap: 'anywhere' }} miw={240} maw={420}>
                  <span>
                    <MethodTag method={one.method} />{' '}
                    <Anchor
                      component={Link}
                      size="sm"
                      underline="always"
                      to={eventsAt(one, `&days=0&actor=${encodeURIComponent(actor)}`)}
                      {...rowLinkProps}
                    >
                      {one.host}
                      {one.path}
                    </Anchor>
                  </span>
                </Table.Td>
                <Table.Td ta="right" data-label="Events">
                  {countText(one.events)}
                </Table.Td>
                <Table.Td data-label="Found by" style={{ overflowWrap: 'anywhere' }}>
                  {one.filterIds.map(nameOf).join(', ')}
                </Table.Td>
                <Table.Td data-label="First">
                  <TimeAgo seconds={one.firstSeen} />
                </Table.Td>
                <Table.Td data-label="Last">
                  <TimeAgo seconds={one.lastSeen} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </Paper>
  )
}
