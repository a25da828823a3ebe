import { Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { Tag } from '../../components/tag.tsx'
import type { ReferenceField, ReferenceOperation } from './read-document.ts'
import { TryIt } from './try-it.tsx'

/** Who may call an operation, by the lowest role. */
const callers: Readonly<Record<string, string>> = {
  GUEST: 'For everyone',
  MEMBER: 'For members and administrators',
  ADMIN: 'For administrators',
}

/** One operation: who may call it, its fields, its refusals, and a form that calls it. */
export function OperationView({ operation }: { operation: ReferenceOperation }) {
  const { name, summary, description, role, writes, request, answer, answerExample, refusals } = operation
  return (
    <Stack component="section" aria-label={name}>
      <Paper withBorder p="md">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Text>{summary}.</Text>
        {description.split('\n\n').map((paragraph) => (
          <Text key={paragraph} size="sm" c="dimmed" mt={4}>
            {paragraph}
          </Text>
        ))}
        <Group gap="xs" mt="sm">
          <Tag code>POST /api/{name}</Tag>
          <Tag tone={writes ? 'orange' : 'blue'}>{writes ? 'Changes data' : 'Reads'}</Tag>
          <Tag>{callers[role] ?? role}</Tag>
        </Group>
      </Paper>
      <TryIt operation={operation} />
      <Fields title="Request" fields={request} none="It takes no field." />
      <Fields title="Answer" fields={answer} none="It answers without a field." />
      {answerExample !== '' && (
        <Paper withBorder p="md">
          <Title order={3} mb="xs">
            Example of an answer
          </Title>
          <CodeBlock text={answerExample} label="Example of an answer" pretty />
        </Paper>
      )}
      <Paper withBorder p="md">
        <Title order={3} mb="xs">
          Refusals
        </Title>
        {refusals.map(({ status, texts }) => (
          <Group key={status} align="flex-start" wrap="nowrap" gap="sm" mb={6}>
            <Tag code>{status}</Tag>
            <div>
              {texts.map((text) => (
                <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {text}
                </Text>
              ))}
            </div>
          </Group>
        ))}
      </Paper>
    </Stack>
  )
}

interface FieldsProps {
  readonly title: string
  readonly fields: readonly ReferenceField[]
  /** Said when there is no field. */
  readonly none: string
}

function Fields({ title, fields, none }: FieldsProps) {
  return (
    <Paper withBorder>
      <Title order={3} p="md" pb="xs">
        {title}
      </Title>
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {none}
        </Text>
      ) : (
        <CardFrame label={`Fields of the ${title.toLowerCase()}`}>
          <Table aria-label={`Fields of the ${title.toLowerCase()}`} miw={440} verticalSpacing={5}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Type</Table.Th>
                <Table.Th>Meaning</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fields.map(({ name, depth, type, isRequired, description }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the fields never move, and inner ones share names
                <Table.Tr key={at}>
                  <Table.Td data-label="Field" miw={150}>
                    <Text span size="sm" ff="monospace" pl={depth * 18}>
                      {name}
                    </Text>{' '}
                    {isRequired && title === 'Request' && <Tag tone="orange">required</Tag>}
                  </Table.Td>
                  <Table.Td data-label="Type" style={{ overflowWrap: 'anywhere' }}>
                    <Text span size="xs" ff="monospace">
                      {type}
                    </Text>
                  </Table.Td>
                  <Table.Td data-label="Meaning">
                    <Text span size="sm">
                      {description}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
    </Paper>
  )
}
