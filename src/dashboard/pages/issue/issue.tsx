import { Alert, Anchor, Breadcrumbs, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Issue as IssueRecord } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { MissingPage } from '../../components/feedback/missing.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Tag } from '../../components/tag.tsx'
import { DueDate } from '../../components/testing/due-date.tsx'
import { EvidenceView } from '../../components/testing/evidence-view.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { readEvidence } from '../../components/testing/read-evidence.ts'
import { RemedyCard } from '../../components/testing/remedy-card.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { exactTime, TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { testTitle, useTests } from '../../data/use-tests.ts'
import { NotFound } from '../not-found/not-found.tsx'
import { HistoryCard } from './history-card.tsx'
import { ImportedEvidence } from './imported-evidence.tsx'
import { IssueActions } from './issue-actions.tsx'
import { NoteCard } from './note-card.tsx'
import { PlacesCard } from './places-card.tsx'
import { statusLooks } from './status-looks.ts'
import { TagsCard } from './tags-card.tsx'

/** Places of one cause that the page asks for. */
const mostPlaces = 1000

/** The key of an issue from the address of its page; null when it names none. */
function keyFrom(search: URLSearchParams) {
  const testSubCategory = search.get('test')
  const method = search.get('method')
  const url = search.get('url')
  const apiCollectionId = Number(search.get('collection'))
  if (testSubCategory === null || method === null || url === null || !Number.isInteger(apiCollectionId))
    return null
  return {
    testSubCategory,
    testErrorSource: search.get('source') ?? 'AUTOMATED_TESTING',
    apiInfoKey: { apiCollectionId, method, url } as IssueRecord['id']['apiInfoKey'],
  }
}

/** One issue: what is wrong where, what proves it, what to do, and what happened to it. */
export default function Issue() {
  const [search] = useSearchParams()
  const key = useMemo(() => keyFrom(search), [search])
  return key === null ? <NotFound /> : <OneIssue issueKey={key} />
}

function OneIssue({ issueKey }: { issueKey: NonNullable<ReturnType<typeof keyFrom>> }) {
  const { data, error, refetch } = useRead('fetchIssuesFromResultIds', {
    issueStatusQuery: ['OPEN', 'IGNORED', 'FIXED'],
    issuesIds: [issueKey],
  })
  const tests = useTests()
  const mayWrite = useMayWrite()
  const issue = data?.[0]
  const places = useRead(
    'fetchAllIssues',
    {
      filterCauseId: [issue?.causeId ?? ''],
      filterSubCategory: [],
      filterStatus: null,
      activeCollections: false,
      sortKey: 'severity',
      sortOrder: -1,
      limit: mostPlaces,
      skip: 0,
      startEpoch: 0,
      endTimeStamp: 0,
    },
    { enabled: issue !== undefined },
  ).data?.issues
  if (data !== undefined && issue === undefined) return <MissingPage kind="issue" />
  return (
    <>
      <PageHeader
        title={testTitle(tests.byId, issueKey.testSubCategory)}
        heading={<TestName tests={tests} id={issueKey.testSubCategory} />}
        trail={
          <Breadcrumbs>
            <Anchor component={Link} to="/issues" size="sm">
              Issues
            </Anchor>
          </Breadcrumbs>
        }
        description={<EndpointLink endpointKey={issueKey.apiInfoKey} />}
        actions={issue && mayWrite && <IssueActions issue={issue} places={places ?? [issue]} />}
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && (
        <Paper withBorder>
          <TableSkeleton label="Loading the issue" />
        </Paper>
      )}
      {issue && (
        <Grid>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack>
              <IssueCard issue={issue} />
              {isImported(issue) ? <ImportedEvidence issue={issue} /> : <IssueEvidence issue={issue} />}
              <RemedyCard testId={issue.id.testSubCategory} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack>
              <PlacesCard issue={issue} places={places ?? []} />
              <NoteCard issue={issue} mayWrite={mayWrite} />
              <TagsCard issue={issue} mayWrite={mayWrite} />
              <HistoryCard issueId={issue.id} mayWrite={mayWrite} />
              <Elsewhere issue={issue} />
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </>
  )
}

function isImported({ id }: IssueRecord): boolean {
  return id.testErrorSource === 'IMPORT'
}

function IssueCard({ issue }: { issue: IssueRecord }) {
  const { byId } = useTests()
  const test = byId.get(issue.id.testSubCategory)
  const { word, tone } = statusLooks[issue.testRunIssueStatus]
  return (
    <Paper withBorder p="md" component="section" aria-label="Description">
      <Group gap="sm" mb="xs">
        <Title order={2}>Description</Title>
        <Tag tone={tone}>{word}</Tag>
        <SeverityTag severity={issue.severity} />
        {issue.verificationState === 'NOT_VERIFIED' && <Tag tone="orange">Not verified</Tag>}
      </Group>
      <Stack gap="sm">
        {[test?.issueDescription, test?.issueDetails, test?.issueImpact].map(
          (text) =>
            text && (
              <Text key={text} size="sm" maw={820} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ),
        )}
        {issue.verificationReason !== null && (
          <Alert color="orange" title="The last test did not verify this issue, so it stays open">
            {issue.verificationReason}
          </Alert>
        )}
        {issue.ignoreReason && (
          <Text size="sm">
            Ignored{issue.ignoredUntil > 0 && ` until ${exactTime(issue.ignoredUntil)}`}, because:{' '}
            {issue.ignoreReason}
            {issue.falsePositiveRuleId !== null && (
              <>
                {' '}
                <Anchor component={Link} to="/issues/false-positives" size="sm" underline="always">
                  Show the rule
                </Anchor>
              </>
            )}
          </Text>
        )}
        <Facts
          facts={[
            ...(isImported(issue) ? ([['Found by', test?.author ?? 'another scanner']] as const) : []),
            ['Category', test?.superCategory.displayName ?? '–'],
            ['CWE', test?.cwe.join(', ') || '–'],
            ['First found', <TimeAgo key="first" seconds={issue.creationTime} />],
            ['Last found', <TimeAgo key="last" seconds={issue.lastSeen} />],
            ...(isImported(issue)
              ? []
              : ([['Last tested', <TimeAgo key="tested" seconds={issue.lastTested} />]] as const)),
            ['Due', <DueDate key="due" dueAt={issue.dueAt} />],
            ['Reopened', <TimeAgo key="reopened" seconds={issue.reopenedAt} />],
            ['Ticket', <Ticket key="ticket" issue={issue} />],
          ]}
        />
      </Stack>
    </Paper>
  )
}

function Ticket({ issue }: { issue: IssueRecord }) {
  const url = issue.jiraIssueUrl
  if (url && /^https?:\/\//i.test(url)) {
    return (
      <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
        {issue.ticketId ?? url}
      </Anchor>
    )
  }
  return issue.ticketId ?? 'none'
}

function IssueEvidence({ issue }: { issue: IssueRecord }) {
  const resultId = issue.testingRunResultHexId
  const { data, error } = useRead(
    'exportTestResultEvidence',
    { testingRunResultHexId: resultId ?? '' },
    { enabled: resultId !== null },
  )
  // Anyone who looks at the evidence has read the issue; the server notes it.
  useRead('fetchTestingRunResult', { issueId: issue.id }, { enabled: issue.unread })
  const evidence = useMemo(() => (data === undefined ? null : readEvidence(data.evidence)), [data])
  return (
    <Paper withBorder p="md" component="section" aria-label="Evidence">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Newest evidence</Title>
        {resultId !== null && (
          <Anchor component={Link} to={`/results/${resultId}`} size="sm">
            Open the result
          </Anchor>
        )}
      </Group>
      {error && <FailureNotice error={error} />}
      {resultId === null && (
        <Text size="sm" c="dimmed">
          The result is no longer stored. Test again to get new evidence.
        </Text>
      )}
      {resultId !== null && data === undefined && !error && (
        <TableSkeleton rows={3} label="Loading the evidence" />
      )}
      {evidence && <EvidenceView evidence={evidence} isFinding />}
    </Paper>
  )
}

function Elsewhere({ issue }: { issue: IssueRecord }) {
  const { data } = useRead('fetchAffectedEndpoints', { issueId: issue.id })
  const others = (data?.similarlyAffectedIssues ?? []).filter(({ causeId }) => causeId !== issue.causeId)
  if (others.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="The same elsewhere">
      <Title order={2} mb="xs">
        The same elsewhere
      </Title>
      <Stack gap="xs">
        {others.map(({ id, testRunIssueStatus }) => (
          <Group key={issueAddress(id)} gap="xs" wrap="nowrap">
            <Tag tone={statusLooks[testRunIssueStatus].tone}>{statusLooks[testRunIssueStatus].word}</Tag>
            <Anchor component={Link} to={issueAddress(id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {endpointLabel(id.apiInfoKey)}
            </Anchor>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
