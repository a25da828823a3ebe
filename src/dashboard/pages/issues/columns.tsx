import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { Issue, TestTemplate } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { rowLinkProps } from '../../components/table/data-table.tsx'
import { Tag } from '../../components/tag.tsx'
import { issueAddress } from '../../components/testing/issue-address.ts'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { testTitle } from '../../data/use-tests.ts'

const column = createColumnHelper<Issue>()

function issueName(byId: ReadonlyMap<string, TestTemplate>, { id }: Issue): string {
  return `${testTitle(byId, id.testSubCategory)} at ${id.apiInfoKey.method} ${id.apiInfoKey.url}`
}

/** The column of boxes that choose rows. */
function choiceColumn(byId: ReadonlyMap<string, TestTemplate>) {
  return column.display({
    id: 'choice',
    header: ({ table }) => (
      <Checkbox
        size="xs"
        aria-label="Choose all on this page"
        checked={table.getIsAllRowsSelected()}
        indeterminate={table.getIsSomeRowsSelected()}
        onChange={table.getToggleAllRowsSelectedHandler()}
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
    column.accessor((row) => testTitle(byId, row.id.testSubCategory), {
      id: 'test',
      header: 'Issue',
      enableSorting: false,
      cell: ({ row: { original }, getValue }) => (
        <Stack gap={0}>
          <span>
            <Anchor component={Link} to={issueAddress(original.id)} size="sm" {...rowLinkProps}>
              {getValue()}
            </Anchor>{' '}
            {original.unread && <Tag tone="green">new</Tag>}
            {original.reopenedAt > 0 && original.testRunIssueStatus === 'OPEN' && (
              <Tag tone="orange">came back</Tag>
            )}
          </span>
          {original.description && (
            <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
              {original.description}
            </Text>
          )}
        </Stack>
      ),
      meta: { minWidth: 240 },
    }),
    column.accessor('severity', {
      header: 'Severity',
      cell: ({ getValue }) => <SeverityTag severity={getValue()} />,
      sortDescFirst: true,
    }),
    column.accessor((row) => row.id.apiInfoKey.url, {
      id: 'endpoint',
      header: 'Endpoint',
      enableSorting: false,
      cell: ({ row }) => <EndpointLink endpointKey={row.original.id.apiInfoKey} />,
      meta: { minWidth: 220 },
    }),
    column.accessor('assignee', {
      header: 'Assigned to',
      enableSorting: false,
      cell: ({ getValue }) => (
        <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {getValue() ?? 'nobody'}
        </Text>
      ),
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
