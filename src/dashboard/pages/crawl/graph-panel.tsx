import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { CrawlStep } from '../../../contract/browser.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { useRead } from '../../data/use-operation.ts'
import { countOf, countText } from '../../data/words.ts'
import { liveMs } from './crawl-data.ts'

const firstSteps = 100
const firstCalls = 5

/** How pages lead to each other: the element that was acted on, and the calls that each step made. */
export function GraphPanel({ crawlId, live }: { crawlId: string; live: boolean }) {
  const [text, setText] = useState('')
  const [most, setMost] = useState(firstSteps)
  const { data, error, refetch } = useRead(
    'getCrawlerGraph',
    { crawlId },
    { keepLast: true, refreshEvery: live ? liveMs * 2 : false },
  )
  const wanted = text.trim().toLowerCase()
  const steps = (data?.steps ?? []).filter((step) =>
    [step.fromUrl, step.toUrl, step.text, ...step.calls].some((one) => one.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <Group p="sm" gap="xs" justify="space-between">
        <SearchField label="Search page, element or call" value={text} onSearch={setText} />
        {data !== undefined && data.navigationGraph !== '' && (
          <CopyButton text={data.navigationGraph} what="the graph as Mermaid text" label="Copy as Mermaid" />
        )}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton label="Loading the graph" />}
      {data !== undefined && steps.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {wanted !== ''
            ? 'No step meets the search.'
            : data.navigationGraph !== ''
              ? 'The crawler sent the graph only as text: copy it.'
              : 'No step between pages was made yet.'}
        </Text>
      )}
      {steps.length > 0 && <StepTable steps={steps.slice(0, most)} />}
      {steps.length > most && (
        <Group p="sm">
          <Button size="compact-sm" variant="default" onClick={() => setMost(most + firstSteps)}>
            Show more ({countText(steps.length - most)} left)
          </Button>
        </Group>
      )}
    </>
  )
}

function StepTable({ steps }: { steps: readonly CrawlStep[] }) {
  return (
    <CardFrame label="Steps between pages">
      <Table aria-label="Steps between pages" miw={900} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th>Calls it made</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((step) => (
            <Table.Tr key={`${step.from} ${step.to} ${step.action} ${step.xpath}`}>
              <Table.Td data-label="From" style={{ overflowWrap: 'anywhere' }}>
                {pageOf(step.fromUrl) || 'start'}
              </Table.Td>
              <Table.Td data-label="Action" style={{ overflowWrap: 'anywhere' }}>
                <div>
                  <Text size="sm">{`${step.action} ${step.text}`.trim()}</Text>
                  {step.xpath !== '' && (
                    <Text size="xs" c="dimmed" ff="monospace">
                      {step.xpath}
                    </Text>
                  )}
                </div>
              </Table.Td>
              <Table.Td data-label="To" style={{ overflowWrap: 'anywhere' }}>
                {pageOf(step.toUrl)}
              </Table.Td>
              <Table.Td data-label="Calls it made">
                <Calls calls={step.calls} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function Calls({ calls }: { calls: readonly string[] }) {
  if (calls.length === 0) return <Text size="sm">–</Text>
  return (
    <Stack gap={0}>
      {calls.slice(0, firstCalls).map((call) => (
        <Text key={call} size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {shortCall(call)}
        </Text>
      ))}
      {calls.length > firstCalls && (
        <Text size="xs" c="dimmed">
          and {countOf(calls.length - firstCalls, 'more', 'more')}
        </Text>
      )}
    </Stack>
  )
}

/** Path, query and fragment of a URL. */
function pageOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search, hash } = new URL(url)
  return pathname + search + hash
}

function shortCall(call: string): string {
  const [method = '', url = ''] = call.split(' ')
  return `${method} ${pageOf(url)}`
}
