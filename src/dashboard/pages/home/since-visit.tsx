import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
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
      word={t('overview.newEndpoints')}
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
        word={t('overview.newIssues')}
        to={`/issues?found=${since}`}
        more={<Severities counts={found.data?.openGroupsBySeverity} />}
      />
      <Change
        query={reopened}
        count={reopened.data?.openGroupsCount}
        word={t('overview.reopened')}
        to={`/issues?reopened=${since}`}
        more={<Severities counts={reopened.data?.openGroupsBySeverity} />}
      />
      <Change
        query={fixed}
        count={fixed.data?.fixedGroupsCount}
        word={t('overview.fixed')}
        to={`/issues?status=FIXED&fixed=${since}`}
      />
    </>
  )
}

function Severities({ counts }: { counts: SeverityCounts | undefined }) {
  const some = counts && Object.values(counts).some((count) => count > 0)
  return some ? <SeverityCountTags counts={counts} /> : null
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
      word={t('overview.attackEvents')}
      to={`/threats/events?from=${since}`}
      more={all ? <SeverityCountTags counts={bySeverity} /> : null}
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
      word={t('overview.failedRuns')}
      to={`/runs?state=FAILED&since=${since}`}
      more={
        <Stack gap={0}>
          {runs && runs.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('overview.ofRuns', { all: runs.length })}
            </Text>
          )}
        </Stack>
      }
    />
  )
}
