import { Code, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import type { TemplateEvidence } from '../../../contract/browser.ts'
import { CardFrame } from '../../components/table/card-frame.tsx'

/** Words for who decided; others are the e-mail address of a person. */
const deciders: Record<string, string> = {
  ENGINE: 'Learned from traffic',
  DOCUMENT: 'Stated by a specification',
  ROUTE: 'Stated by the application’s routes',
}

/** The evidence behind a template: values seen, what spoke for it, and what stayed literal beside it. */
export function TemplateEvidenceView({ evidence }: { evidence: TemplateEvidence }) {
  const decider = Object.hasOwn(deciders, evidence.decidedBy)
    ? deciders[evidence.decidedBy]
    : `Decided by ${evidence.decidedBy}`
  return (
    <Stack>
      <Text size="sm">
        {decider}. {evidence.distinctValues} distinct{' '}
        {evidence.distinctValues === 1 ? 'value was' : 'values were'} seen
        {evidence.examples.length > 0 ? ', for example:' : '.'}
      </Text>
      {evidence.examples.length > 0 && (
        <Group gap={6}>
          {evidence.examples.map((example) => (
            <Code key={example}>{example}</Code>
          ))}
        </Group>
      )}
      {evidence.factors.length > 0 && (
        <CardFrame inset label="Evidence">
          <Table aria-label="Evidence" miw={480} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Evidence</Table.Th>
                <Table.Th ta="right">Segment</Table.Th>
                <Table.Th ta="right">Weight</Table.Th>
                <Table.Th>What was seen</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {evidence.factors.map((factor) => (
                <Table.Tr key={`${factor.position} ${factor.name}`}>
                  <Table.Td data-label="Evidence">{factor.name}</Table.Td>
                  <Table.Td data-label="Segment" ta="right">
                    {factor.position + 1}
                  </Table.Td>
                  <Table.Td data-label="Weight" ta="right">
                    {Math.round(factor.value * 100) / 100}
                  </Table.Td>
                  <Table.Td data-label="What was seen">{factor.note}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
      {evidence.literalSiblings.length > 0 && (
        <section aria-label="Stayed literal">
          <Title order={2} size="h3" mb={4}>
            Stayed literal at the same place
          </Title>
          <List size="sm">
            {evidence.literalSiblings.map((sibling) => (
              <List.Item key={sibling.value}>
                <Code>{sibling.value}</Code> {sibling.reason}
              </List.Item>
            ))}
          </List>
        </section>
      )}
    </Stack>
  )
}
