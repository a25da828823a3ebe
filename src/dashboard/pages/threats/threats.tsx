import { Anchor, Grid, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { CountCard } from '../../components/count-card.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countText } from '../../data/words.ts'
import { countryName } from './country-name.ts'
import { LatestEvents } from './latest-events.tsx'
import { NoAttacks } from './no-attacks.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'
import { TimelineCard } from './timeline-card.tsx'
import { useFilterNames } from './use-filter-names.ts'

// The outlines are large, and only this page draws them.
const WorldMap = lazy(() => import('./map/world-map.tsx'))

const most = 8

/** Are we under attack: how many events, of what kind, against what, by whom. */
export default function Threats() {
  const { address, start, end, days } = useThreatWindow()
  const lookBack = days === '7' ? '' : `&days=${days}`
  const window = { startTs: start, endTs: end }
  const severities = useRead('fetchCountBySeverity', window)
  const daily = useRead('getDailyThreatActorsCount', window)
  const total = severities.data?.categoryCounts.reduce((sum, { count }) => sum + count, 0)
  // A failed count hides nothing else.
  const hasFigures = total === undefined ? severities.error !== null : total > 0
  return (
    <>
      <ThreatHeader
        title="Threats"
        description="Attacks detected in observed traffic. Vigil does not block inline; gateways can enforce the block list."
      />
      {severities.error && (
        <FailureNotice error={severities.error} onRetry={() => void severities.refetch()} />
      )}
      {severities.data === undefined && !severities.error && <Skeleton height={90} />}
      {total === 0 && (
        <Paper withBorder>
          <NoAttacks title="No event in this time" address={address} />
        </Paper>
      )}
      {hasFigures && (
        <Stack>
          <Group gap="sm" align="stretch">
            {total !== undefined && (
              <CountCard value={total} word="events" to={`/threats/events?${lookBack.slice(1)}`} />
            )}
            {severities.data?.categoryCounts.map(({ subCategory, count }) => (
              <Paper key={subCategory} withBorder px="md" py="xs">
                <Anchor
                  component={Link}
                  to={`/threats/events?severity=${encodeURIComponent(subCategory)}${lookBack}`}
                  fw={650}
                  size="lg"
                  display="block"
                  aria-label={`${countText(count)} events of severity ${subCategory}`}
                >
                  {countText(count)}
                </Anchor>
                <SeverityTag severity={subCategory} />
              </Paper>
            ))}
            {daily.data && (
              <CountCard
                value={daily.data.totalAttacks}
                word="that worked"
                to={`/threats/events?worked=yes${lookBack}`}
              />
            )}
            {daily.data && (
              <CountCard
                value={daily.data.activeActorsCount}
                word="active actors"
                to={`/threats/actors?status=active${lookBack}`}
              />
            )}
          </Group>
          <TimelineCard
            title="Events over time"
            address={address}
            start={start}
            end={end}
            none="No events in this time."
          />
          <LatestEvents />
          <Grid>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Suspense fallback={<Skeleton height={300} />}>
                <WorldMap start={start} end={end} lookBack={lookBack} />
              </Suspense>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Stack>
                <Countries start={start} end={end} lookBack={lookBack} />
                <Kinds start={start} end={end} lookBack={lookBack} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </>
  )
}

interface WindowProps {
  readonly start: number
  readonly end: number
  /** What links add to keep the time that is looked back on. */
  readonly lookBack: string
}

function Kinds({ start, end, lookBack }: WindowProps) {
  const { data, error, refetch } = useRead('fetchThreatCategoryCount', { startTs: start, endTs: end })
  const { nameOf } = useFilterNames()
  return (
    <Counted title="Kinds of attack" head={['Kind', 'Events']} error={error} onRetry={() => void refetch()}>
      {data?.categoryCounts.map(({ category, subCategory, count }) => (
        <Table.Tr key={`${category} ${subCategory}`}>
          <Table.Td>
            {subCategory === '' ? (
              category || 'Without a kind'
            ) : (
              <Anchor
                component={Link}
                to={`/threats/events?kind=${encodeURIComponent(subCategory)}${lookBack}`}
                size="sm"
              >
                {nameOf(subCategory)}
              </Anchor>
            )}
            {subCategory !== '' && category !== '' && category !== nameOf(subCategory) && (
              <Text size="xs" c="dimmed">
                {category}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">{countText(count)}</Table.Td>
        </Table.Tr>
      ))}
    </Counted>
  )
}

function Countries({ start, end, lookBack }: WindowProps) {
  const { data, error, refetch } = useRead('getActorsCountPerCounty', { startTs: start, endTs: end })
  return (
    <Counted
      title="Where actors are"
      head={['Country', 'Actors']}
      error={error}
      onRetry={() => void refetch()}
      foot={
        <Anchor component={Link} to={`/threats/actors${lookBack.replace('&', '?')}`} size="sm">
          All actors
        </Anchor>
      }
    >
      {data?.actorsCountPerCountry.map(({ country, count }) => (
        <Table.Tr key={country}>
          <Table.Td>
            <Anchor
              component={Link}
              to={`/threats/actors?country=${encodeURIComponent(country)}${lookBack}`}
              size="sm"
            >
              {countryName(country)}
            </Anchor>
          </Table.Td>
          <Table.Td ta="right">{countText(count)}</Table.Td>
        </Table.Tr>
      ))}
    </Counted>
  )
}

interface CountedProps {
  readonly title: string
  readonly head: readonly [string, string]
  readonly error: Error | null
  readonly onRetry: () => void
  /** Rows; undefined until they are there. */
  readonly children: readonly ReactNode[] | undefined
  readonly foot?: ReactNode
}

/** The first rows of a list, and all of them when they are asked for. */
function Counted({ title, head, error, onRetry, children, foot }: CountedProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = children !== undefined && children.length > most
  return (
    <Paper withBorder component="section" aria-label={title}>
      <Title order={2} p="md" pb="xs">
        {title}
      </Title>
      {error && <FailureNotice error={error} onRetry={onRetry} />}
      {children === undefined && !error && <Skeleton height={120} m="md" />}
      {children !== undefined && (
        <Table aria-label={title} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{head[0]}</Table.Th>
              <Table.Th ta="right">{head[1]}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{isWhole ? children : children.slice(0, most)}</Table.Tbody>
        </Table>
      )}
      {(isLong || foot) && (
        <Group gap="sm" p="md">
          {isLong && (
            <Anchor component="button" type="button" size="sm" onClick={() => setWhole(!isWhole)}>
              {isWhole ? `Show the first ${most}` : `Show all ${children.length}`}
            </Anchor>
          )}
          {foot}
        </Group>
      )}
    </Paper>
  )
}
