import { Anchor, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { EndpointKey, Issue } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TurnPages } from '../../components/table/turn-pages.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TestName } from '../../components/testing/test-name.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'

const pageSize = 25
const statuses = ['OPEN', 'IGNORED', 'FIXED'] as const

interface IssuesPanelProps {
  readonly endpointKey: EndpointKey
  /** Epoch seconds; 0 for never. */
  readonly lastTested: number
}

/** The issues of one endpoint by status, the worst first. */
export function IssuesPanel({ endpointKey, lastTested }: IssuesPanelProps) {
  const [status, setStatus] = useState<(typeof statuses)[number]>('OPEN')
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useRead(
    'fetchAllIssues',
    {
      filterCollectionsId: [],
      filterSubCategory: [],
      filterEndpoint: endpointKey,
      filterStatus: [status],
      activeCollections: false,
      sortKey: 'severity',
      sortOrder: -1,
      limit: pageSize,
      skip: page * pageSize,
      startEpoch: 0,
      endTimeStamp: 0,
    },
    { keepLast: true },
  )
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={120} />
  const counts = {
    OPEN: data.openIssuesCount ?? 0,
    IGNORED: data.ignoredIssuesCount ?? 0,
    FIXED: data.fixedIssuesCount ?? 0,
  }
  if (counts.OPEN + counts.IGNORED + counts.FIXED === 0) {
    return (
      <Text size="sm" c="dimmed" component="div">
        {lastTested === 0 ? (
          'No issue is known: this endpoint was never tested.'
        ) : (
          <>
            No issues. Last tested <TimeAgo seconds={lastTested} />.
          </>
        )}
      </Text>
    )
  }
  const issues = data.issues ?? []
  return (
    <Stack gap="sm">
      <SegmentedControl
        w="fit-content"
        size="xs"
        aria-label="Status of the issues"
        value={status}
        onChange={(next) => {
          setStatus(next as typeof status)
          setPage(0)
        }}
        data={[
          { value: 'OPEN', label: `Open (${counts.OPEN})` },
          { value: 'IGNORED', label: `Ignored (${counts.IGNORED})` },
          { value: 'FIXED', label: `Fixed (${counts.FIXED})` },
        ]}
      />
      {issues.length === 0 ? (
        <Text size="sm" c="dimmed">
          No {status.toLowerCase()} issues.
        </Text>
      ) : (
        <IssueLines issues={issues} />
      )}
      {(page > 0 || counts[status] > pageSize) && (
        <TurnPages
          page={page}
          pageSize={pageSize}
          shown={issues.length}
          hasMore={counts[status] > (page + 1) * pageSize}
          onPage={setPage}
          what="Issues"
        />
      )}
    </Stack>
  )
}

function IssueLines({ issues }: { issues: readonly Issue[] }) {
  const tests = useTests()
  return (
    <Stack
      component="ul"
      aria-label="Issues of this endpoint"
      gap="sm"
      m={0}
      p={0}
      style={{ listStyle: 'none' }}
    >
      {issues.map((issue) => (
        <Group key={issueAddress(issue.id)} component="li" gap="xs">
          <SeverityTag severity={issue.severity} />
          <Anchor component={Link} to={issueAddress(issue.id)} size="sm">
            <TestName tests={tests} id={issue.id.testSubCategory} />
          </Anchor>
          <Text size="xs" c="dimmed" component="div">
            last found <TimeAgo seconds={issue.lastSeen} />
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
