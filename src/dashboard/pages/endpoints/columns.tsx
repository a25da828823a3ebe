import { Anchor, Checkbox, Group, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { Link } from 'react-router'
import type { EndpointOverview } from '../../../contract/browser.ts'
import type { TrafficBucket } from '../../components/chart/traffic-buckets.ts'
import { AuthTags } from '../../components/endpoint/auth-tags.tsx'
import { endpointAddress } from '../../components/endpoint/endpoint-address.ts'
import { endpointStateWords } from '../../components/endpoint/endpoint-states.ts'
import { accessWord, sourceWord } from '../../components/endpoint/endpoint-words.ts'
import { MethodTag } from '../../components/endpoint/method-tag.tsx'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { PathText } from '../../components/endpoint/path-text.tsx'
import { RiskMeter } from '../../components/endpoint/risk-meter.tsx'
import { StatusTag } from '../../components/endpoint/status-tag.tsx'
import { TypeTags } from '../../components/endpoint/type-tags.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag } from '../../components/tag.tsx'
import { SeverityCountTags } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { constantText, countText, millisecondsText, unknownText } from '../../data/words.ts'
import { t } from '../../i18n/translate.ts'
import '../endpoint/messages.ts'
import { ages } from './endpoint-query.ts'
import { StatusMix } from './status-mix.tsx'

/** An endpoint with its calls of the last week; null for none, undefined while nobody asks or they are not known. */
export interface EndpointRow extends EndpointOverview {
  readonly traffic?: TrafficBucket | null | undefined
}

const column = createColumnHelper<EndpointRow>()
const number = new Intl.NumberFormat('en')

function isNew(row: EndpointOverview): boolean {
  return row.discoveredTimestamp > Date.now() / 1000 - (ages['day'] ?? 0)
}

function EndpointCell({ row, collection }: { row: EndpointOverview; collection: number | null }) {
  return (
    <Group gap={8} wrap="nowrap" align="baseline">
      <MethodTag method={row.id.method} />
      <span>
        <Anchor component={Link} to={endpointAddress(row.id, collection)} size="sm" {...rowLinkProps}>
          <PathText url={row.id.url} isTemplate={row.isTemplate} />
        </Anchor>{' '}
        {isNew(row) && (
          <Tag tone="green" title="Discovered within a day">
            new
          </Tag>
        )}{' '}
        {row.state !== 'ACTIVE' && (
          <Tag tone="orange" title={endpointStateWords[row.state]}>
            {constantText(row.state).toLowerCase()}
          </Tag>
        )}
      </span>
    </Group>
  )
}

function typesOf(row: EndpointOverview): string[] {
  return [...new Set([...row.sensitiveInResponse, ...row.sensitiveInRequest])]
}

/** The column of boxes that choose rows. */
const choiceColumn = column.display({
  id: 'choice',
  meta: { phone: 0, label: 'Choose' },
  enableHiding: false,
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
      aria-label={`Choose ${endpointLabel(row.original.id, row.original.isTemplate)}`}
      checked={row.getIsSelected()}
      onChange={row.getToggleSelectedHandler()}
    />
  ),
})

/** Columns with what tests and detection know. */
const testColumns = [
  column.accessor('openIssues', {
    id: 'severityScore',
    header: 'Open issues',
    cell: ({ getValue, row }) => (
      <SeverityCountTags counts={getValue()} isUntested={row.original.lastTested === 0} />
    ),
    sortDescFirst: true,
  }),
  column.accessor('lastTested', {
    header: 'Last tested',
    cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
    sortDescFirst: true,
  }),
  column.accessor('recentAttacks', {
    header: 'Attacks, 7 days',
    cell: ({ getValue }) => number.format(getValue()),
    sortDescFirst: true,
    meta: { align: 'right' },
  }),
]

/** Columns of how long calls took, in the day up to the latest one of which it is known. */
const latencyColumns = (['latencyP50', 'latencyP95'] as const).map((id) =>
  column.accessor(id, {
    header: t(id === 'latencyP50' ? 'latency.p50' : 'latency.p95'),
    cell: ({ getValue }) => {
      const milliseconds = getValue()
      return milliseconds === null ? unknownText : millisecondsText(milliseconds)
    },
    sortDescFirst: true,
    meta: { align: 'right' },
  }),
)

/** Columns of what people said. */
const saidColumns = [
  column.accessor('owner', {
    header: 'Owner',
    enableSorting: false,
    cell: ({ getValue }) => <Text size="sm">{getValue() || unknownText}</Text>,
    meta: { minWidth: 90 },
  }),
  column.accessor('tags', {
    header: 'Tags',
    enableSorting: false,
    cell: ({ getValue }) => <TypeTags names={getValue()} tone="gray" most={3} />,
  }),
]

/** Columns of calls and callers of the last week, which are asked for only where they are shown. */
export const weekColumns = ['statuses', 'callers'] as const

/** Callers are kept for a shorter time than calls, and recordings name none: calls without a caller mean that nobody knows. */
function callersOf({ traffic }: EndpointRow): number | undefined {
  if (traffic === null) return 0
  return traffic?.callers === 0 ? undefined : traffic?.callers
}

const lastWeekColumns = [
  column.accessor('traffic', {
    id: 'statuses',
    header: 'Status mix, 7 days',
    enableSorting: false,
    cell: ({ getValue }) => <StatusMix traffic={getValue()} />,
    meta: { minWidth: 200 },
  }),
  column.accessor(callersOf, {
    id: 'callers',
    header: 'Callers known',
    enableSorting: false,
    cell: ({ getValue }) => countText(getValue()),
    meta: { align: 'right' },
  }),
]

/** Columns of what traffic showed. */
const trafficColumns = [
  column.accessor('actualAuthType', {
    header: 'Authentication',
    enableSorting: false,
    cell: ({ getValue }) => <AuthTags kinds={getValue()} />,
  }),
  column.accessor('apiAccessTypes', {
    header: 'Access',
    enableSorting: false,
    cell: ({ getValue }) => <TypeTags names={getValue()} tone="blue" most={2} word={accessWord} />,
  }),
  column.accessor(typesOf, {
    id: 'sensitive',
    header: 'Sensitive data',
    enableSorting: false,
    cell: ({ getValue }) => <TypeTags names={getValue()} most={2} />,
  }),
  column.accessor('responseCodes', {
    header: 'Status codes',
    enableSorting: false,
    cell: ({ getValue }) => (
      <Group gap={4} wrap="nowrap">
        {getValue().map((status) => (
          <StatusTag key={status} code={status} />
        ))}
      </Group>
    ),
  }),
  column.accessor('callCount', {
    header: 'Calls',
    cell: ({ getValue }) => number.format(getValue()),
    sortDescFirst: true,
    meta: { align: 'right' },
  }),
  column.accessor('lastSeen', {
    header: 'Last seen',
    cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
    sortDescFirst: true,
  }),
  column.accessor('discoveredTimestamp', {
    header: 'Discovered',
    cell: ({ getValue }) => <TimeAgo seconds={getValue()} />,
    sortDescFirst: true,
  }),
  column.accessor((row) => Object.keys(row.sources), {
    id: 'source',
    header: 'Source',
    enableSorting: false,
    cell: ({ getValue, row }) => (
      <Text span size="xs" c="dimmed">
        {[...getValue().map(sourceWord), ...(row.original.isDocumented ? ['described'] : [])].join(', ')}
      </Text>
    ),
  }),
]

/** Columns that are hidden until somebody chooses them. */
export const hiddenAtFirst: readonly string[] = [
  'apiAccessTypes',
  'recentAttacks',
  'responseCodes',
  'discoveredTimestamp',
  'source',
  'owner',
  'tags',
  'latencyP50',
  'latencyP95',
  ...weekColumns,
]

/**
 * Columns of the list of endpoints; the collection is shown when `collection` is null (all), boxes only for those who may
 * change something. Ids are sort keys.
 */
export function endpointColumns(collection: number | null, mayWrite: boolean) {
  return [
    ...(mayWrite ? [choiceColumn] : []),
    column.accessor((row) => row.id.url, {
      id: 'url',
      header: 'Endpoint',
      enableHiding: false,
      cell: ({ row }) => <EndpointCell row={row.original} collection={collection} />,
      meta: { minWidth: 220, phone: 1 },
    }),
    ...(collection === null
      ? [
          column.accessor('collectionName', {
            header: 'Collection',
            enableSorting: false,
            cell: ({ row }) => (
              <Anchor component={Link} to={`/apis/${row.original.id.apiCollectionId}`} size="sm">
                {row.original.collectionName}
              </Anchor>
            ),
          }),
        ]
      : []),
    column.accessor('riskScore', {
      header: 'Risk',
      cell: ({ getValue }) => <RiskMeter score={getValue()} />,
      sortDescFirst: true,
    }),
    ...testColumns,
    ...saidColumns,
    ...trafficColumns,
    ...latencyColumns,
    ...lastWeekColumns,
  ]
}
