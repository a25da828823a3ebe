import { Anchor, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { SeverityCounts } from '../../../contract/browser.ts'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { relativeTime } from '../../components/time-ago.tsx'
import { useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'
import { t } from '../../i18n/translate.ts'
import { Change } from './change.tsx'
import { sinceChoices, useSince } from './use-since.ts'

const refreshEvery = 30_000

/** What is new since the last visit or in a time; every number leads to the list behind it. */
export function SinceVisit() {
  const { since, choice, lastVisit } = useSince()
  const address = useListAddress()
  const when =
    choice !== 'visit'
      ? ''
      : lastVisit === null
        ? t('overview.noVisit')
        : t('overview.lastVisit', { time: relativeTime(lastVisit, Math.floor(Date.now() / 1000)) })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('overview.changed')}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{t('overview.changed')}</Title>
          {when !== '' && (
            <Text size="sm" c="dimmed">
              {when}
            </Text>
          )}
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('overview.since')}
          data={sinceChoices.map(({ value, label }) => ({ value, label: t(label) }))}
          value={choice}
          onChange={(next) => address.change({ since: next === 'visit' ? '' : next })}
        />
      </Group>
      <Group gap="sm" align="stretch">
        <NewEndpoints since={since} />
        <IssueChanges since={since} />
        <Attacks since={since} />
        <Runs since={since} />
      </Group>
    </Paper>
  )
}

function NewEndpoints({ since }: { since: number }) {
  const query = useRead(
    'searchEndpoints',
    { limit: 1, newSince: since, state: listedStates, exactTotal: true },
    { refreshEvery, keepLast: true },
  )
  return (
    <Change
      query={query}
      count={query.data?.total}
      word={(count) => t('overview.newEndpoints', { count })}
      to={`/apis/all?new=${since}`}
    />
  )
}

function useIssueCount(
  given: { startEpoch?: number; reopenedSince?: number; fixedSince?: number },
  filterStatus: ('OPEN' | 'FIXED')[],
) {
  return useRead(
    'fetchIssueGroups',
    { ...given, filterStatus, activeCollections: true, limit: 1, skip: 0 },
    { refreshEvery, keepLast: true },
  )
}

function IssueChanges({ since }: { since: number }) {
  const found = useIssueCount({ startEpoch: since }, ['OPEN'])
  const reopened = useIssueCount({ reopenedSince: since }, ['OPEN'])
  const fixed = useIssueCount({ fixedSince: since }, ['FIXED'])
  return (
    <>
      <Change
        query={found}
        count={found.data?.openGroupsCount}
        word={(count) => t('overview.newIssues', { count })}
        to={`/issues?found=${since}`}
        more={<Severities counts={found.data?.openGroupsBySeverity} to={`/issues?found=${since}`} />}
      />
      <Change
        query={reopened}
        count={reopened.data?.openGroupsCount}
        word={(count) => t('overview.reopened', { count })}
        to={`/issues?reopened=${since}`}
        more={<Severities counts={reopened.data?.openGroupsBySeverity} to={`/issues?reopened=${since}`} />}
      />
      <Change
        query={fixed}
        count={fixed.data?.fixedGroupsCount}
        word={(count) => t('overview.fixed', { count })}
        to={`/issues?status=FIXED&fixed=${since}`}
      />
    </>
  )
}

interface SeveritiesProps {
  readonly counts: Partial<SeverityCounts> | undefined
  /** Address of the list over all severities. */
  readonly to: string
}

function Severities({ counts, to }: SeveritiesProps) {
  const some = counts && Object.values(counts).some((count) => count > 0)
  return some ? <SeverityCountTags counts={counts} to={(severity) => `${to}&severity=${severity}`} /> : null
}

function Attacks({ since }: { since: number }) {
  const query = useRead(
    'fetchCountBySeverity',
    { startTs: since, endTs: 0 },
    { refreshEvery, keepLast: true },
  )
  const counts = query.data?.categoryCounts ?? undefined
  const all = counts?.reduce((sum, one) => sum + one.count, 0)
  const bySeverity = Object.fromEntries(counts?.map((one) => [one.subCategory, one.count]) ?? [])
  return (
    <Change
      query={query}
      count={all}
      word={(count) => t('overview.attackEvents', { count })}
      to={`/threats/events?from=${since}`}
      more={<Severities counts={bySeverity} to={`/threats/events?from=${since}`} />}
    />
  )
}

function Runs({ since }: { since: number }) {
  const query = useRead(
    'retrieveAllCollectionTests',
    {
      searchString: '',
      sortKey: 'scheduleTimestamp',
      sortOrder: -1,
      limit: -1,
      skip: 0,
      startTimestamp: since,
      endTimestamp: 0,
      testingRunType: null,
    },
    { refreshEvery, keepLast: true },
  )
  const runs = query.data?.testingRuns ?? undefined
  const failed = runs?.filter(({ state }) => state === 'FAILED').length
  return (
    <Change
      query={query}
      count={failed}
      word={(count) => t('overview.failedRuns', { count })}
      to={`/runs?state=FAILED&since=${since}`}
      more={
        runs &&
        runs.length > 0 && (
          <Anchor component={Link} to={`/runs?since=${since}`} size="xs">
            {t('overview.runsInAll', { count: runs.length })}
          </Anchor>
        )
      }
    />
  )
}
