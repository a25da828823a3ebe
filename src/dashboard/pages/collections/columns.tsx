import { Anchor, Group, Stack, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import { severities } from '../../../contract/browser.ts'
import { ClampedText } from '../../components/clamped-text.tsx'
import { shownEndpoints } from '../../components/endpoint/endpoint-states.ts'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { TypeTags } from '../../components/endpoint/type-tags.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag } from '../../components/tag.tsx'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { Unknown } from '../../components/unknown.tsx'
import { environmentWord } from '../../data/words.ts'
import { CollectionMenu } from './collection-menu.tsx'
import { issueRank } from './issue-rank.ts'
import type { CollectionRow } from './use-collections.ts'

const column = createColumnHelper<CollectionRow>()
const number = new Intl.NumberFormat('en')

function NameCell({ row }: { row: CollectionRow }) {
  return (
    <Stack gap={1}>
      <Group gap={6} wrap="nowrap">
        <Anchor component={Link} to={`/apis/${row.id}`} fw={600} size="sm" {...rowLinkProps}>
          {row.displayName}
        </Anchor>
        {row.type === 'API_GROUP' && <Tag tone="violet">Group</Tag>}
        {row.deactivated && <Tag tone="orange">Deactivated</Tag>}
        {row.redact && <Tag>Redacted</Tag>}
      </Group>
      {row.description && <ClampedText size="xs" c="dimmed" lines={1} text={row.description} />}
    </Stack>
  )
}

function IssuesCell({ row: { id, issues, tested } }: { row: CollectionRow }) {
  if (issues === undefined) return <Unknown />
  if (issues === null) {
    return (
      <Text span size="xs" c="dimmed">
        with their collections
      </Text>
    )
  }
  // Without an issue, it matters whether one could have been found.
  const isWithout = severities.every((severity) => !issues[severity])
  if (isWithout && tested === undefined) return <Unknown />
  if (isWithout && tested === 0) {
    return (
      <Text span size="sm" c="dimmed">
        not tested in 30 days
      </Text>
    )
  }
  return (
    <SeverityCountTags
      counts={issues}
      isUntested={tested === null}
      to={(severity) => `/issues?collection=${id}&severity=${severity}`}
    />
  )
}

/** Columns of the table of collections. */
export const columns = [
  column.accessor('displayName', {
    header: 'Name',
    cell: ({ row }) => <NameCell row={row.original} />,
    meta: { minWidth: 200 },
  }),
  column.accessor((row) => row.hostName ?? '', {
    id: 'host',
    header: 'Host',
    cell: ({ getValue }) =>
      getValue() === '' ? (
        <Text span size="sm" c="dimmed">
          –
        </Text>
      ) : (
        <Text span size="xs">
          {getValue()}
        </Text>
      ),
  }),
  column.accessor(shownEndpoints, {
    id: 'urlsCount',
    header: 'Endpoints',
    cell: ({ getValue, row }) => (
      <>
        {number.format(getValue())}
        {row.original.ignoredUrlsCount > 0 && (
          <Anchor component={Link} to={`/apis/${row.original.id}?state=ignored`} size="xs" display="block">
            +{number.format(row.original.ignoredUrlsCount)} ignored
          </Anchor>
        )}
      </>
    ),
    sortDescFirst: true,
    meta: { align: 'right' },
  }),
  column.accessor((row) => issueRank(row.issues), {
    id: 'issues',
    header: 'Open issues',
    cell: ({ row: { original } }) => <IssuesCell row={original} />,
    sortingFn: 'basic',
    sortDescFirst: true,
    meta: { minWidth: 190 },
  }),
  column.accessor((row) => row.tested ?? -1, {
    id: 'tested',
    header: 'Tested, 30 days',
    cell: ({ row: { original } }) =>
      original.tested === undefined || original.tested === null ? (
        <Unknown />
      ) : (
        <Anchor component={Link} to={`/apis/${original.id}?tested=TESTED`} size="sm">
          {original.tested} %
        </Anchor>
      ),
    sortDescFirst: true,
    meta: { align: 'right' },
  }),
  column.accessor('risk', {
    header: 'Risk',
    cell: ({ row: { original } }) =>
      original.risk === undefined ? <Unknown /> : <RiskMeter score={original.risk} />,
    sortDescFirst: true,
  }),
  column.accessor((row) => row.sensitive?.length ?? -1, {
    id: 'sensitive',
    header: 'Sensitive data',
    cell: ({ row: { original } }) =>
      original.sensitive === undefined ? <Unknown /> : <TypeTags names={original.sensitive} most={3} />,
    sortDescFirst: true,
    meta: { minWidth: 180 },
  }),
  column.accessor('lastSeen', {
    header: 'Last seen',
    cell: ({ row: { original } }) =>
      original.lastSeen === undefined ? <Unknown /> : <TimeAgo seconds={original.lastSeen} />,
    sortDescFirst: true,
  }),
  column.accessor((row) => row.envType ?? '', {
    id: 'environment',
    header: 'Environment',
    cell: ({ getValue }) =>
      getValue() === '' ? (
        <Text span size="sm" c="dimmed">
          –
        </Text>
      ) : (
        <Tag tone="blue">{environmentWord(getValue())}</Tag>
      ),
  }),
  column.display({
    id: 'actions',
    cell: ({ row }) => <CollectionMenu collection={row.original} />,
    meta: { quiet: true, label: 'Actions' },
  }),
]
