import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { IssueGroup, TestTemplate } from '../../../contract/browser.ts'
import { ClampedText } from '../../components/clamped-text.tsx'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag } from '../../components/tag.tsx'
import { causeText, endpointsOf, groupTitle, isWide } from '../../components/testing/cause-text.ts'
import { DueDate } from '../../components/testing/due-date.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { countOf } from '../../data/words.ts'

const column = createColumnHelper<IssueGroup>()

function issueName(byId: ReadonlyMap<string, TestTemplate>, group: IssueGroup): string {
  const { id } = group.issue
  return `${groupTitle(byId, group)} at ${endpointLabel(id.apiInfoKey)}`
}

/** The column of boxes that choose rows. */
function choiceColumn(byId: ReadonlyMap<string, TestTemplate>) {
  return column.display({
    id: 'choice',
    meta: { phone: 0, label: 'Choose' },
    header: ({ table }) => (
      <Checkbox
        size="xs"
        aria-label="Choose all on this page"
        checked={table.getIsAllPageRowsSelected()}
        indeterminate={table.getIsSomePageRowsSelected()}
        onChange={table.getToggleAllPageRowsSelectedHandler()}
      />
    ),
    cell: ({ row }) => (
      <Checkbox
        size="xs"
        aria-label={`Choose ${issueName(byId, row.original)}`}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
    ),
  })
}

/** Columns of the list of issues; boxes only for those who may change something. */
export function issueColumns(byId: ReadonlyMap<string, TestTemplate>, mayWrite: boolean) {
  return [
    ...(mayWrite ? [choiceColumn(byId)] : []),
    // Not an accessor: the table keeps its values, and the tests may become known after the row.
    column.display({
      id: 'test',
      header: 'Issue',
      cell: ({ row: { original } }) => (
        <Stack gap={0}>
          <span>
            <Anchor component={Link} to={issueAddress(original.issue.id)} size="sm" {...rowLinkProps}>
              {groupTitle(byId, original)}
            </Anchor>{' '}
            {original.unread && <Tag tone="green">new</Tag>}
            {original.issue.reopenedAt > 0 && original.status === 'OPEN' && <Tag tone="orange">reopened</Tag>}{' '}
            {original.issue.verificationState === 'NOT_VERIFIED' && <Tag tone="orange">not verified</Tag>}
            {original.issue.tags.map((tag) => (
              <Tag key={tag} tone="blue">
                {tag}
              </Tag>
            ))}
          </span>
          {original.issue.description && (
            <ClampedText size="xs" c="dimmed" lines={1} text={original.issue.description} />
          )}
        </Stack>
      ),
      meta: { minWidth: 240, phone: 3 },
    }),
    column.accessor('severity', {
      header: 'Severity',
      meta: { phone: 1 },
      cell: ({ getValue }) => <SeverityTag severity={getValue()} />,
      sortDescFirst: true,
    }),
    column.accessor((row) => row.issue.id.apiInfoKey.url, {
      id: 'endpoint',
      header: 'Where',
      enableSorting: false,
      cell: ({ row: { original } }) => <GroupPlace group={original} />,
      meta: { minWidth: 220, phone: 2 },
    }),
    column.accessor((row) => row.issue.assignee, {
      id: 'assignee',
      header: 'Assigned to',
      enableSorting: false,
      cell: ({ getValue }) => (
        <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {getValue() ?? 'nobody'}
        </Text>
      ),
    }),
    column.accessor((row) => row.issue.dueAt, {
      id: 'due',
      header: 'Due',
      enableSorting: false,
      cell: ({ getValue }) => <DueDate dueAt={getValue()} />,
    }),
    column.accessor('creationTime', {
      header: 'First found',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
    column.accessor('lastSeen', {
      header: 'Last found',
      cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
      sortDescFirst: true,
    }),
  ]
}

/** The host and how many endpoints, or the endpoint and the part of its request. */
function GroupPlace({ group }: { group: IssueGroup }) {
  const endpoints = endpointsOf(group)
  const cause = causeText(group)
  const more = [
    ...(!isWide(group) && cause !== '' ? [cause] : []),
    ...(endpoints > 1 ? [countOf(endpoints, 'endpoint')] : []),
    ...(group.testSubCategories.length > 1
      ? [`found by ${countOf(group.testSubCategories.length, 'test')}`]
      : []),
  ]
  return (
    <Stack gap={0}>
      {isWide(group) && endpoints > 1 ? (
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {cause === '' ? 'One host' : cause}
        </Text>
      ) : (
        <EndpointLink endpointKey={group.issue.id.apiInfoKey} />
      )}
      {more.length > 0 && (
        <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {more.join(' · ')}
        </Text>
      )}
    </Stack>
  )
}
