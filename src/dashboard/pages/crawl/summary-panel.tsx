import { Alert, Code, List, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import type { CrawlCoverage, CrawlProgress, CrawlSummary } from '../../../contract/browser.ts'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { countOf, countText } from '../../data/words.ts'

/** Operations and reasons that are shown. */
const SHOWN = 20

/** What a crawl covered, what it left out and why, and what to do; nothing while there is nothing to say. */
export function SummaryPanel({ progress }: { readonly progress: CrawlProgress }) {
  const { summary, coverage } = progress
  if (summary === null && coverage === null) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Coverage">
      <Title order={2} mb="sm">
        Coverage
      </Title>
      <Stack gap="md">
        {coverage !== null && <Documented coverage={coverage} />}
        {summary !== null && <Summary summary={summary} />}
      </Stack>
    </Paper>
  )
}

function Documented({ coverage: { documented, reached, missing } }: { readonly coverage: CrawlCoverage }) {
  const percent = Math.floor((reached * 100) / documented)
  return (
    <Stack gap={4}>
      <Text size="sm">
        {countText(reached)} of {countOf(documented, 'documented operation')} reached ({percent} %)
      </Text>
      <Progress value={percent} aria-label={`Documented operations reached: ${percent} percent`} />
      {missing.length > 0 && <Names title="Not reached" names={missing} />}
    </Stack>
  )
}

function Summary({ summary }: { readonly summary: CrawlSummary }) {
  const { seen, held, named, unreached, leftOut, advice } = summary
  return (
    <>
      {advice.length > 0 && (
        <Alert color="blue" icon={<IconBulb size={18} />} title="To reach more">
          <List size="sm" spacing={4}>
            {advice.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm">
        {countOf(seen, 'kind')} of requests seen, {countText(held)} of them recorded and not sent.
        {named > 0 && ` Scripts and documents name ${countOf(named, 'operation')} that were looked for.`}
      </Text>
      {unreached.length > 0 && <Names title="Named and not reached" names={unreached} />}
      {leftOut.length > 0 && (
        <CardFrame inset label="What was left out">
          <Table aria-label="What was left out">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Left out because</Table.Th>
                <Table.Th>How many</Table.Th>
                <Table.Th>For example</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {leftOut.slice(0, SHOWN).map(({ reason, count, examples }) => (
                <Table.Tr key={reason}>
                  <Table.Td data-label="Left out because">{reason}</Table.Td>
                  <Table.Td data-label="How many">{countText(count)}</Table.Td>
                  <Table.Td data-label="For example" style={{ overflowWrap: 'anywhere' }}>
                    {examples[0] ?? ''}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </CardFrame>
      )}
    </>
  )
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <details>
      <Text component="summary" size="sm">
        {title} ({countText(names.length)})
      </Text>
      <Code block mt={4}>
        {names.join('\n')}
      </Code>
    </details>
  )
}
