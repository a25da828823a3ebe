import { Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { EndpointDetail } from '../../../contract/browser.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Tag } from '../../components/tag.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'
import { type ParameterGroup, type ParameterRow, parameterGroups } from './parameter-groups.ts'

const number = new Intl.NumberFormat('en')

/** Parameters by place, with types and what was seen of their values. */
export function ParametersPanel({ endpoint }: { endpoint: EndpointDetail }) {
  const { data, error, refetch } = useRead('loadParamsOfEndpoint', endpoint.id)
  const groups = useMemo(() => parameterGroups(data?.data.params ?? []), [data])
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton label="Loading the parameters" />
  if (groups.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        No parameters yet. They appear with the first message of this endpoint.
      </Text>
    )
  }
  return (
    <Stack gap="lg" py="md">
      {data.data.truncated && (
        <Text size="sm" c="dimmed" px="md">
          This endpoint has more parameters than the 5,000 shown.
        </Text>
      )}
      {groups.map((group) => (
        <GroupTable key={group.title} group={group} />
      ))}
    </Stack>
  )
}

function GroupTable({ group }: { group: ParameterGroup }) {
  return (
    <section aria-label={group.title}>
      <Title order={2} size="h3" px="md" mb={4}>
        {group.title}
      </Title>
      <CardFrame label={group.title}>
        <Table aria-label={group.title} miw={620} verticalSpacing={5} horizontalSpacing="md" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="32%">Name</Table.Th>
              <Table.Th w="24%">Type</Table.Th>
              <Table.Th w="34%">Values</Table.Th>
              <Table.Th w="10%" ta="right">
                Seen in
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {group.rows.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </section>
  )
}

function Row({ row }: { row: ParameterRow }) {
  return (
    <Table.Tr>
      <Table.Td data-label="Name">
        <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {row.name}
        </Text>
      </Table.Td>
      <Table.Td data-label="Type">
        <Group gap={4}>
          {row.types.map((type) => (
            <Tag key={type.name} tone={type.sensitive ? 'red' : 'gray'} code>
              {type.name}
            </Tag>
          ))}
        </Group>
      </Table.Td>
      <Table.Td data-label="Values">
        <Group gap={4}>
          {row.values !== '' && (
            <Text span size="sm" c="dimmed">
              {row.values}
            </Text>
          )}
          {row.examples.map((example) => (
            <Code key={example} style={{ overflowWrap: 'anywhere' }}>
              {example}
            </Code>
          ))}
        </Group>
      </Table.Td>
      <Table.Td data-label="Seen in" ta="right">
        {number.format(row.count)}
      </Table.Td>
    </Table.Tr>
  )
}
