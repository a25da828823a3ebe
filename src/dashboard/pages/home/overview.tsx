import { Anchor, Grid, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CountCard } from '../../components/count-card.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { causeText, endpointsOf, groupTitle, isWide } from '../../components/testing/cause-text.ts'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { isUnderWay, RunProgress, RunStateTag } from '../../components/testing/run-state.tsx'
import { SeverityCountTags, SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf } from '../../data/words.ts'
import { runName } from '../runs/columns.tsx'
import { runRows } from '../runs/run-query.ts'
import { NextSteps } from './next-steps.tsx'

const week = 604_800
const shown = 5

/** Start of the last seven days, to the hour, so that the request stays the same for a while. */
function weekAgo(): number {
  return Math.floor(Date.now() / 3_600_000) * 3600 - week
}

/** Inventory, open issues, runs, and what to do next. */
export function Overview() {
  return (
    <>
      <PageHeader title="Overview" description="Your inventory, your issues, and what to do next." />
      <Stack>
        <InventoryCounts />
        <NextSteps />
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <WorstIssues />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <LastRuns />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  )
}

function InventoryCounts() {
  const collections = useRead('getAllCollections', {})
  const all = useRead('searchEndpoints', { limit: 1, exactTotal: true })
  const fresh = useRead('searchEndpoints', { limit: 1, newSince: weekAgo(), exactTotal: true })
  const sensitive = useRead('searchEndpoints', { limit: 1, sensitive: true, exactTotal: true })
  const failed = [collections, all, fresh, sensitive].filter((query) => query.error)
  const count = collections.data?.apiCollections.filter(
    (one) => one.type !== 'API_GROUP' && !one.deactivated,
  ).length
  const cards: [value: number | undefined, word: string, to: string, query: { isPending: boolean }][] = [
    [count, 'collections', '/apis', collections],
    [all.data?.total, 'endpoints', '/apis/all', all],
    [fresh.data?.total, 'discovered this week', '/apis/all?new=week', fresh],
    [sensitive.data?.total, 'carry sensitive data', '/apis/all?sensitive=yes', sensitive],
  ]
  return (
    <Stack gap="sm" component="section" aria-label="Inventory">
      {failed[0]?.error && (
        <FailureNotice
          error={failed[0].error}
          onRetry={() => {
            for (const query of failed) void query.refetch()
          }}
        />
      )}
      <Group gap="sm">
        {cards.map(([value, word, to, query]) =>
          query.isPending ? (
            <Skeleton key={word} height={62} width={130} />
          ) : (
            <Anchor key={word} component={Link} to={to} underline="never" c="inherit">
              <CountCard value={value} word={word} />
            </Anchor>
          ),
        )}
      </Group>
    </Stack>
  )
}

function Card({ title, more, children }: { title: string; more: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {more}
      </Group>
      {children}
    </Paper>
  )
}

function WorstIssues() {
  const { data, error, refetch } = useRead('fetchIssueGroups', {
    filterStatus: ['OPEN'],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: shown,
    skip: 0,
  })
  const { byId } = useTests()
  return (
    <Card
      title="Open issues"
      more={
        <Anchor component={Link} to="/issues" size="sm">
          All issues
        </Anchor>
      }
    >
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={120} />}
      {data && (
        <Stack gap="sm">
          <SeverityCountTags counts={data.openGroupsBySeverity} />
          {data.issueGroups.map((group) => (
            <Group key={group.causeId} gap="xs" wrap="nowrap" align="flex-start">
              <SeverityTag severity={group.severity} />
              <div>
                <Anchor component={Link} to={issueAddress(group.issue.id)} size="sm">
                  {groupTitle(byId, group)}
                </Anchor>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {isWide(group) && endpointsOf(group) > 1
                    ? `${causeText(group)}, ${countOf(endpointsOf(group), 'endpoint')}`
                    : `${group.issue.id.apiInfoKey.method} ${group.issue.id.apiInfoKey.url}`}
                </Text>
              </div>
            </Group>
          ))}
          {data.issueGroups.length === 0 && (
            <Text size="sm" c="dimmed">
              None is open. Only what was tested can have one.
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}

function LastRuns() {
  const { data, error, refetch } = useRead(
    'retrieveAllCollectionTests',
    {
      searchString: '',
      sortKey: 'scheduleTimestamp',
      sortOrder: -1,
      limit: shown,
      skip: 0,
      startTimestamp: 0,
      endTimestamp: 0,
      testingRunType: null,
    },
    {
      refreshEvery: (answer) =>
        answer?.testingRuns?.some(({ state }) => isUnderWay(state)) ? 2_000 : 30_000,
    },
  )
  const rows = data && runRows(data.testingRuns ?? [], data.latestTestingRunResultSummaries ?? {})
  return (
    <Card
      title="Last runs"
      more={
        <Anchor component={Link} to="/runs" size="sm">
          All runs
        </Anchor>
      }
    >
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {rows === undefined && !error && <Skeleton height={120} />}
      <Stack gap="sm">
        {rows?.map(({ run, latest }) => (
          <Group key={run.hexId} justify="space-between" gap="xs">
            <div>
              <Anchor
                component={Link}
                to={`/runs/${run.hexId}`}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                {runName(run)}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <TimeAgo seconds={run.scheduleTimestamp} />
              </Text>
            </div>
            {run.state === 'RUNNING' && latest ? (
              <RunProgress summary={latest} label={runName(run)} />
            ) : (
              <Group gap="xs">
                <SeverityCountTags counts={latest?.countCauses ?? latest?.countIssues ?? {}} />
                <RunStateTag state={run.state} />
              </Group>
            )}
          </Group>
        ))}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing was tested yet.
          </Text>
        )}
      </Stack>
    </Card>
  )
}
