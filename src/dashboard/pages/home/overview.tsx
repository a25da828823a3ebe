import { Anchor, Grid, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { causeText, endpointsOf, groupTitle, isWide } from '../../components/testing/cause-text.ts'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { isUnderWay, RunProgress, RunStateTag } from '../../components/testing/run-state.tsx'
import { SeverityCountTags, SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { overview } from '../../i18n/messages/en/overview.ts'
import { addMessages, t } from '../../i18n/translate.ts'
import { runName } from '../runs/columns.tsx'
import { type RunRow, runRows } from '../runs/run-query.ts'
import { AttackCard } from './attack-card.tsx'
import { Card } from './card.tsx'
import { CoverageCard } from './coverage-card.tsx'
import { NextSteps } from './next-steps.tsx'
import { RiskiestCard } from './riskiest-card.tsx'
import { SinceVisit } from './since-visit.tsx'
import { TrendCard } from './trend-card.tsx'
import { worstIssues } from './worst-issues.ts'

addMessages(overview)

const shown = 5

/** What changed, how issues, coverage and attacks develop, and what to do next. */
export function Overview() {
  return (
    <>
      <PageHeader title={t('nav.overview')} description={<InventoryLine />} />
      <Stack>
        <SinceVisit />
        <NextSteps />
        <Grid>
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <TrendCard />
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 6, lg: 3 }}>
            <CoverageCard />
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 6, lg: 3 }}>
            <AttackCard />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <WorstIssues />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <RiskiestCard />
          </Grid.Col>
          <Grid.Col span={12}>
            <LastRuns />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  )
}

const counted = { limit: 1, state: listedStates, exactTotal: true }

/** The size of the inventory in one line of links; numbers that are not known are dashes. */
function InventoryLine() {
  const collections = useRead('getAllCollections', {}).data?.apiCollections.filter(
    (one) => one.type !== 'API_GROUP' && !one.deactivated,
  ).length
  const all = useRead('searchEndpoints', counted).data?.total
  const sensitive = useRead('searchEndpoints', { ...counted, sensitive: true }).data?.total
  const parts = [
    { to: '/apis', count: collections, word: 'overview.collections', unknown: 'overview.unknownCollections' },
    { to: '/apis/all', count: all, word: 'overview.endpoints', unknown: 'overview.unknownEndpoints' },
    {
      to: '/apis/all?sensitive=yes',
      count: sensitive,
      word: 'overview.sensitive',
      unknown: 'overview.unknownSensitive',
    },
  ] as const
  return (
    <Group gap="md" component="section" aria-label={t('nav.inventory')}>
      {parts.map(({ to, count, word, unknown }) => (
        <Anchor key={to} component={Link} to={to} size="sm">
          {count === undefined ? t(unknown) : t(word, { count })}
        </Anchor>
      ))}
    </Group>
  )
}

function WorstIssues() {
  const query = useRead('fetchIssueGroups', worstIssues)
  const { byId } = useTests()
  return (
    <Card
      title={t('overview.openIssues')}
      more={
        <Anchor component={Link} to="/issues" size="sm">
          {t('overview.allIssues')}
        </Anchor>
      }
      query={query}
    >
      {({ issueGroups }) => (
        <Stack gap="sm">
          {issueGroups.map((group) => (
            <Group key={group.causeId} gap="xs" wrap="nowrap" align="flex-start">
              <SeverityTag severity={group.severity} />
              <div>
                <Anchor component={Link} to={issueAddress(group.issue.id)} size="sm">
                  {groupTitle(byId, group)}
                </Anchor>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {isWide(group) && endpointsOf(group) > 1
                    ? t('overview.causeAtEndpoints', { cause: causeText(group), count: endpointsOf(group) })
                    : endpointLabel(group.issue.id.apiInfoKey)}
                </Text>
              </div>
            </Group>
          ))}
          {issueGroups.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('overview.noIssue')}
            </Text>
          )}
        </Stack>
      )}
    </Card>
  )
}

function LastRuns() {
  const query = useRead(
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
  return (
    <Card
      title={t('overview.lastRuns')}
      more={
        <Anchor component={Link} to="/runs" size="sm">
          {t('overview.allRuns')}
        </Anchor>
      }
      query={query}
    >
      {(answer) => (
        <RunList rows={runRows(answer.testingRuns ?? [], answer.latestTestingRunResultSummaries ?? {})} />
      )}
    </Card>
  )
}

function RunList({ rows }: { rows: readonly RunRow[] }) {
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('overview.noRun')}
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {rows.map(({ run, latest }) => (
        <Group key={run.hexId} justify="space-between" gap="xs">
          <div>
            <Anchor component={Link} to={`/runs/${run.hexId}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
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
              <SeverityCountTags
                counts={latest?.countCauses ?? latest?.countIssues ?? {}}
                isUntested={latest === null}
              />
              <RunStateTag state={run.state} />
            </Group>
          )}
        </Group>
      ))}
    </Stack>
  )
}
