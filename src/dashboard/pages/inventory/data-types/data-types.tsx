import { Anchor, Button, Group, Paper, SegmentedControl, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DataType } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { SeverityTag } from '../../../components/testing/severity-tag.tsx'
import { useListAddress } from '../../../data/list-address.ts'
import { useRead } from '../../../data/use-operation.ts'
import { useMayWrite } from '../../../data/use-own-user.ts'
import { constantText } from '../../../data/words.ts'
import { DataTypeDialog } from './data-type-dialog.tsx'
import { positionWords } from './position-words.ts'

/** What counts as sensitive data: built-in types and those made by users. */
export default function DataTypes() {
  const { data, error, refetch } = useRead('fetchDataTypes', {})
  const { one, change } = useListAddress()
  const [editing, setEditing] = useState<DataType | 'new' | null>(null)
  const mayWrite = useMayWrite()
  const origin = one('made') || 'all'
  const wanted = one('q').trim().toLowerCase()
  const rows = data?.dataTypes.filter(
    ({ name, builtIn, categories }) =>
      (origin === 'all' || builtIn === (origin === 'built-in')) &&
      [name, ...categories, ...categories.map(constantText)].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
  )
  return (
    <>
      <PageHeader
        title="Data types"
        description="What Vigil detects in names and values of parameters, and where it counts as sensitive."
        actions={
          mayWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
              New data type
            </Button>
          )
        }
      />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Paper withBorder>
        <Group p="sm" gap="sm">
          <SearchField label="Search data types" value={one('q')} onSearch={(q) => change({ q })} />
          <SegmentedControl
            aria-label="Origin"
            size="xs"
            value={origin}
            onChange={(made) => change({ made: made === 'all' ? '' : made })}
            data={[
              { value: 'all', label: 'All' },
              { value: 'built-in', label: 'Built-in' },
              { value: 'custom', label: 'Custom' },
            ]}
          />
        </Group>
        {rows === undefined && !error && <TableSkeleton label="Loading the data types" />}
        {rows?.length === 0 && (
          <Text c="dimmed" ta="center" py="xl" role="status">
            {origin === 'custom' && wanted === ''
              ? 'No custom data type yet. Create one for what is sensitive in your organisation only, such as membership numbers.'
              : 'No data type matches. Clear the search, or show all origins.'}
          </Text>
        )}
        {rows !== undefined && rows.length > 0 && (
          <TypeTable rows={rows} onEdit={mayWrite ? setEditing : null} />
        )}
      </Paper>
      {editing && (
        <DataTypeDialog type={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

interface TypeTableProps {
  readonly rows: readonly DataType[]
  /** Null for people who may not change anything. */
  readonly onEdit: ((type: DataType) => void) | null
}

function TypeTable({ rows, onEdit }: TypeTableProps) {
  return (
    <CardFrame label="Data types">
      <Table aria-label="Data types" miw={760} verticalSpacing={7} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Severity</Table.Th>
            <Table.Th>Categories</Table.Th>
            <Table.Th>Sensitive</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Endpoints</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((type) => (
            <Table.Tr key={type.name}>
              <Table.Td data-label="Name">
                {onEdit === null ? (
                  <Text span size="sm">
                    {type.name}
                  </Text>
                ) : (
                  <Anchor component="button" type="button" size="sm" onClick={() => onEdit(type)}>
                    {type.name}
                  </Anchor>
                )}{' '}
                {!type.builtIn && <Tag tone="violet">custom</Tag>}
              </Table.Td>
              <Table.Td data-label="Severity">
                <SeverityTag severity={type.severity} />
              </Table.Td>
              <Table.Td data-label="Categories">
                {type.categories.map(constantText).join(', ') || '–'}
              </Table.Td>
              <Table.Td data-label="Sensitive">{sensitiveText(type)}</Table.Td>
              <Table.Td data-label="State">
                {type.active ? <Tag tone="green">detected</Tag> : <Tag>off</Tag>}{' '}
                {type.redacted && <Tag tone="orange">masked</Tag>}
              </Table.Td>
              <Table.Td data-label="Endpoints">
                <Anchor component={Link} to={`/apis/all?type=${encodeURIComponent(type.name)}`} size="sm">
                  Show <VisuallyHidden>endpoints with {type.name}</VisuallyHidden>
                </Anchor>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function sensitiveText({ sensitiveAlways, sensitivePosition }: DataType): string {
  if (sensitiveAlways) return 'everywhere'
  return sensitivePosition.map((position) => positionWords[position]).join(', ') || 'nowhere'
}
