import { Anchor, Button, Group, Paper, Table, Text } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { matchesSearch, type ResponseOf } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ScrollFrame } from '../../components/table/scroll-frame.tsx'
import { Tag } from '../../components/tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'
import { countText } from '../../data/words.ts'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

type FilterTemplate = NonNullable<ResponseOf<'fetchFilterYamlTemplate'>['templates']>[number]

/** Whether a filter is found by its id, name, category, CWE, CAPEC or another clause, or a synonym. */
function matchesFilter({ id, info }: FilterTemplate, search: string): boolean {
  const clauses = Object.values(info?.compliance?.mapComplianceToListClauses ?? {}).flat()
  return matchesSearch(
    {
      id,
      name: info?.name ?? '',
      category: info === null ? [] : [info.category.name, info.category.displayName],
      references: [...(info?.cwe ?? []), ...(info?.cve ?? []), ...(info?.tags ?? []), ...clauses],
    },
    search,
  )
}

/** What traffic is watched for, and how often each filter found something. */
export default function Filters() {
  const { start } = useThreatWindow()
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useRead('fetchFilterYamlTemplate', {})
  const hits = useRead('fetchThreatCategoryCount', { startTs: start, endTs: 0 }).data
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const countOf = (subCategory: string) =>
    (hits?.categoryCounts ?? [])
      .filter((one) => one.subCategory === subCategory)
      .reduce((sum, { count }) => sum + count, 0)
  const templates = data?.templates ?? undefined
  const found = templates?.filter((one) => matchesFilter(one, search)) ?? []
  return (
    <>
      <ThreatHeader
        title="Filters"
        description="Every filter inspects every message. Changes take effect immediately."
        actions={
          isAdmin && (
            <Button component={Link} to="/threats/filters/new" leftSection={<IconPencilPlus size={16} />}>
              New filter
            </Button>
          )
        }
      />
      <Paper withBorder>
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {templates === undefined && !error && <TableSkeleton label="Loading the filters" />}
        {templates?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No filters yet: traffic is not inspected. Write a filter to detect attacks.
          </Text>
        )}
        {templates !== undefined && templates.length > 0 && (
          <Group p="sm">
            <SearchField label="Search filters" value={search} onSearch={setSearch} />
          </Group>
        )}
        {templates !== undefined && templates.length > 0 && found.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No filter matches the search.
          </Text>
        )}
        {found.length > 0 && (
          <ScrollFrame label="Filters of traffic">
            <Table aria-label="Filters of traffic" miw={760} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Filter</Table.Th>
                  <Table.Th>Severity</Table.Th>
                  <Table.Th>Category</Table.Th>
                  <Table.Th ta="right">Events of this kind</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map((one) => (
                  <Table.Tr key={one.id}>
                    <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
                      <Anchor
                        component={Link}
                        to={`/threats/filters/${encodeURIComponent(one.id)}`}
                        size="sm"
                      >
                        {one.info?.name || one.id}
                      </Anchor>
                      <Text size="xs" c="dimmed">
                        {one.id}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      {one.info ? (
                        <SeverityTag severity={one.info.severity} />
                      ) : (
                        <Tag tone="red">cannot be read</Tag>
                      )}
                    </Table.Td>
                    <Table.Td>{one.info?.category.displayName || one.info?.category.name || '–'}</Table.Td>
                    <Table.Td ta="right">
                      {one.info ? countText(countOf(one.info.subCategory)) : '–'}
                    </Table.Td>
                    <Table.Td>{one.author}</Table.Td>
                    <Table.Td>
                      <TimeAgo seconds={one.updatedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollFrame>
        )}
      </Paper>
    </>
  )
}
