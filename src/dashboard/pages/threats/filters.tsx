import { Anchor, Button, Group, Paper, Table, Text } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ClearFilters, OneFilter } from '../../components/filters.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { rowLinkProps } from '../../components/table/row-keys.ts'
import { Tag } from '../../components/tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { type FilterTemplate, matchesFilter } from '../../data/matches-filter.ts'
import { useRead } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'
import { countText } from '../../data/words.ts'
import { FilterStateSwitch, filterStateChoices } from './filter-state.tsx'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** What traffic is watched for, and how often each filter found something. */
export default function Filters() {
  const { address, start, days } = useThreatWindow()
  const search = address.one('q')
  const library = useRead('fetchFilterYamlTemplate', { withContent: false })
  const { data, error } = library
  const hits = useRead('fetchThreatCategoryCount', { startTs: start, endTs: 0 })
  const failed = [library, hits].filter(({ isError }) => isError)
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const countOf = (subCategory: string) =>
    hits.data?.categoryCounts
      .filter((one) => one.subCategory === subCategory)
      .reduce((sum, { count }) => sum + count, 0)
  const templates = data?.templates ?? undefined
  const categories = new Map(
    (templates ?? []).flatMap(({ info }) =>
      info === null ? [] : [[info.category.name, info.category.displayName || info.category.name]],
    ),
  )
  const [state, category] = [address.one('state'), address.one('category')]
  const found =
    templates?.filter(
      (one) =>
        matchesFilter(one, search) &&
        (state === '' || one.state === state) &&
        (category === '' || one.info?.category.name === category),
    ) ?? []
  return (
    <>
      <ThreatHeader
        title="Filters"
        description="Every filter that is on inspects every message. Changes take effect immediately."
        actions={
          isAdmin && (
            <Button component={Link} to="/threats/filters/new" leftSection={<IconPencilPlus size={16} />}>
              New filter
            </Button>
          )
        }
      />
      <Paper withBorder>
        {failed[0]?.error && (
          <FailureNotice
            error={failed[0].error}
            onRetry={() => {
              for (const query of failed) void query.refetch()
            }}
          />
        )}
        {templates === undefined && !error && <TableSkeleton label="Loading the filters" />}
        {templates?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No filters yet: traffic is not inspected. Write a filter to detect attacks.
          </Text>
        )}
        {templates !== undefined && templates.length > 0 && (
          <Group p="sm">
            <SearchField label="Search filters" value={search} onSearch={(q) => address.change({ q })} />
            <OneFilter address={address} name="state" label="State" data={filterStateChoices} />
            <OneFilter
              address={address}
              name="category"
              label="Category"
              width={200}
              data={[...categories].map(([value, label]) => ({ value, label }))}
            />
            {(search !== '' || state !== '' || category !== '') && (
              <ClearFilters change={address.change} names={['q', 'state', 'category']} />
            )}
            <Text size="sm" c="dimmed">
              {templates.filter((one) => one.state === 'ON').length} of {templates.length} on
            </Text>
          </Group>
        )}
        {templates !== undefined && templates.length > 0 && found.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No filter meets the search and the filters.
          </Text>
        )}
        {found.length > 0 && (
          <FilterTable filters={found} countOf={countOf} lookBack={days === '7' ? '' : `&days=${days}`} />
        )}
      </Paper>
    </>
  )
}

interface FilterTableProps {
  readonly filters: readonly FilterTemplate[]
  /** Events of a subcategory; undefined until they are counted. */
  readonly countOf: (subCategory: string) => number | undefined
  /** What links add to keep the time that is looked back on. */
  readonly lookBack: string
}

function FilterTable({ filters, countOf, lookBack }: FilterTableProps) {
  return (
    <CardFrame label="Filters of traffic">
      <Table aria-label="Filters of traffic" miw={760} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Filter</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Severity</Table.Th>
            <Table.Th>Category</Table.Th>
            <Table.Th ta="right">Events of this kind</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {filters.map((one) => (
            <FilterRow
              key={one.id}
              filter={one}
              hits={one.info ? countOf(one.info.subCategory) : undefined}
              lookBack={lookBack}
            />
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

interface FilterRowProps {
  readonly filter: FilterTemplate
  /** Undefined until they are counted. */
  readonly hits: number | undefined
  readonly lookBack: string
}

function FilterRow({ filter, hits, lookBack }: FilterRowProps) {
  return (
    <Table.Tr>
      <Table.Td miw={200} maw={360} data-label="Filter" style={{ overflowWrap: 'anywhere', order: -1 }}>
        <div>
          <Anchor
            component={Link}
            to={`/threats/filters/${encodeURIComponent(filter.id)}`}
            size="sm"
            {...rowLinkProps}
          >
            {filter.info?.name || filter.id}
          </Anchor>
          <Text size="xs" c="dimmed">
            {filter.id}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label="State">
        <FilterStateSwitch id={filter.id} name={filter.info?.name || filter.id} state={filter.state} />
      </Table.Td>
      <Table.Td data-label="Severity" style={{ order: -2 }}>
        {filter.info ? <SeverityTag severity={filter.info.severity} /> : <Tag tone="red">cannot be read</Tag>}
      </Table.Td>
      <Table.Td data-label="Category">
        {filter.info?.category.displayName || filter.info?.category.name || '–'}
      </Table.Td>
      <Table.Td ta="right" data-label="Events of this kind">
        {filter.info ? (
          <Anchor
            component={Link}
            size="sm"
            to={`/threats/events?kind=${encodeURIComponent(filter.info.subCategory)}${lookBack}`}
          >
            {countText(hits)}
          </Anchor>
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td data-label="By">{filter.author}</Table.Td>
      <Table.Td data-label="Changed">
        <TimeAgo seconds={filter.updatedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
