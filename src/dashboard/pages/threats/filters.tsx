import { Anchor, Button, Paper, Table, Text } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { ScrollFrame } from '../../components/table/scroll-frame.tsx'
import { Tag } from '../../components/tag.tsx'
import { SeverityTag } from '../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'
import { countText } from '../../data/words.ts'
import { ThreatHeader } from './threat-header.tsx'
import { useThreatWindow } from './threat-window.ts'

/** What traffic is watched for, and how often each filter found something. */
export default function Filters() {
  const { start } = useThreatWindow()
  const { data, error, refetch } = useRead('fetchFilterYamlTemplate', {})
  const hits = useRead('fetchThreatCategoryCount', { startTs: start, endTs: 0 }).data
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const countOf = (subCategory: string) =>
    (hits?.categoryCounts ?? [])
      .filter((one) => one.subCategory === subCategory)
      .reduce((sum, { count }) => sum + count, 0)
  const templates = data?.templates ?? undefined
  return (
    <>
      <ThreatHeader
        title="Filters"
        description="Each message is looked at by every filter. A changed filter works at once."
        actions={
          isAdmin && (
            <Button component={Link} to="/threats/filters/new" leftSection={<IconPencilPlus size={16} />}>
              Write a filter
            </Button>
          )
        }
      />
      <Paper withBorder>
        {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {templates === undefined && !error && <TableSkeleton label="Loading the filters" />}
        {templates?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            There is no filter: nothing is watched for.
          </Text>
        )}
        {templates !== undefined && templates.length > 0 && (
          <ScrollFrame label="Filters of traffic">
            <Table aria-label="Filters of traffic" miw={760} verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Filter</Table.Th>
                  <Table.Th>Severity</Table.Th>
                  <Table.Th>Category</Table.Th>
                  <Table.Th ta="right">Events of its kind</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Changed</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {templates.map((one) => (
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
