import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { EndpointKey } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { testTitle, useTests } from '../../data/use-tests.ts'

/** Issues asked for at most; those of one endpoint are picked from those of its collection. */
const most = 5000

/** The issues of one endpoint, open ones first. */
export function IssuesPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const { data, error, refetch } = useRead('fetchAllIssues', {
    filterCollectionsId: [endpointKey.apiCollectionId],
    filterSubCategory: [],
    filterStatus: null,
    activeCollections: false,
    sortKey: 'severity',
    sortOrder: -1,
    limit: most,
    skip: 0,
    startEpoch: 0,
    endTimeStamp: 0,
  })
  const { byId } = useTests()
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  const here = (data.issues ?? [])
    .filter(({ id }) => id.apiInfoKey.method === endpointKey.method && id.apiInfoKey.url === endpointKey.url)
    .sort((a, b) => Number(b.testRunIssueStatus === 'OPEN') - Number(a.testRunIssueStatus === 'OPEN'))
  if (here.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No issues. This endpoint may not have been tested yet.
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {here.map((issue) => (
        <Group key={issueAddress(issue.id)} gap="xs">
          <SeverityTag severity={issue.severity} />
          <Anchor component={Link} to={issueAddress(issue.id)} size="sm">
            {testTitle(byId, issue.id.testSubCategory)}
          </Anchor>
          {issue.testRunIssueStatus !== 'OPEN' && <Tag>{issue.testRunIssueStatus.toLowerCase()}</Tag>}
          <Text size="xs" c="dimmed" component="div">
            last found <TimeAgo seconds={issue.lastSeen} />
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
