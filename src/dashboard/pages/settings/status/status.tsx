import { Alert, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { hidesContent } from '../../../data/query-client.ts'
import { useRead } from '../../../data/use-operation.ts'
import { countOf, countText } from '../../../data/words.ts'
import classes from './status.module.css'

type SystemStatus = ResponseOf<'fetchSystemStatus'>

/** A process without a heartbeat for so long is gone, or cannot reach the store. */
const SILENT_SECONDS = 60
const workNames = { IMPORT: 'Imports', TEST_RUN: 'Test runs', CRAWL: 'Crawls', ALERT: 'Alerts and tickets' }
const refusals: Readonly<Record<string, string>> = {
  STORE_FULL: 'The disk of the store is full. Free some room: messages are accepted again within seconds.',
  STORE_UNAVAILABLE:
    'The store does not answer. Messages are refused until it does; clients send them again.',
}

/** Whether the installation itself is well: every stage that messages pass, what waits, and which processes work. */
export default function Status() {
  const { data, error, refetch } = useRead('fetchSystemStatus', {}, { refreshEvery: 5_000 })
  return (
    <>
      <PageHeader
        title="Status"
        description="Where messages are on their way into the inventory, what waits, and which processes work."
      />
      {hidesContent(error, data) && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={320} />}
      {data && (
        <Stack>
          {data.waiting.refusal !== null && (
            <Alert color="red" title="Messages are refused" role="alert">
              {refusals[data.waiting.refusal] ?? 'The server log says why.'}
            </Alert>
          )}
          <Stages traffic={data.traffic} />
          <Waiting status={data} />
          <Work work={data.work} />
          <Instances instances={data.instances} />
        </Stack>
      )}
    </>
  )
}

/** The way of a message, each stage with its count; what went missing is between them. */
function Stages({ traffic }: { traffic: SystemStatus['traffic'] }) {
  const dropped = Object.entries(traffic.dropped).sort(([, a], [, b]) => b - a)
  const left = dropped.reduce((sum, [, count]) => sum + count, 0)
  const parsed = traffic.arrived - traffic.unreadable
  const stages: readonly { name: string; count: number; note: ReactNode }[] = [
    { name: 'Arrived', count: traffic.arrived, note: 'today (UTC), over all processes' },
    {
      name: 'Parsed',
      count: parsed,
      note: traffic.unreadable === 0 ? 'all could be read' : `${countText(traffic.unreadable)} unreadable`,
    },
    {
      name: 'New',
      count: parsed - traffic.duplicates,
      note: `${countText(traffic.duplicates)} known before`,
    },
    {
      name: 'Stored',
      count: traffic.stored,
      note: left === 0 ? 'none left out' : `${countText(left)} left out by rules`,
    },
  ]
  return (
    <Paper withBorder p="md" component="section" aria-label="Traffic today">
      <Title order={2} mb="xs">
        Traffic today
      </Title>
      <ol className={classes['stages']}>
        {stages.map(({ name, count, note }) => (
          <li key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fw={650} size="xl">
              {countText(count)}
            </Text>
            <Text size="xs" c="dimmed">
              {note}
            </Text>
          </li>
        ))}
      </ol>
      <Text size="sm" mt="xs">
        Newest message: <TimeAgo seconds={traffic.lastMessageAt} never="none yet" />.
      </Text>
      {dropped.length > 0 && (
        <Table aria-label="Messages left out" verticalSpacing={4} maw={480} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Left out because of</Table.Th>
              <Table.Th ta="right">Messages</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {dropped.map(([rule, count]) => (
              <Table.Tr key={rule}>
                <Table.Td>{ruleText(rule)}</Table.Td>
                <Table.Td ta="right">{countText(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}

/** The name of an admission rule as words: `static-file` is "Static file". */
function ruleText(rule: string): string {
  const words = rule.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function bytesText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

interface Part {
  readonly name: string
  readonly isWell: boolean
  readonly state: string
  readonly text: string
}

function partsOf({ waiting, detection, stream, store }: SystemStatus): Part[] {
  const parts: Part[] = [
    {
      name: 'Inventory',
      isWell: waiting.refusal === null,
      state: waiting.refusal === null ? 'Works' : 'Refuses messages',
      text: `${countOf(waiting.messages, 'message')} (${bytesText(waiting.bytes)}) not stored yet`,
    },
    {
      name: 'Store',
      isWell: !store.isFull,
      state: store.isFull ? 'Full' : 'Works',
      text: `${store.kind === 'embedded' ? 'embedded' : 'PostgreSQL'}, answers in ${store.answerMilliseconds} ms; ${countOf(store.connections, 'connection')}, ${countOf(store.waitingQueries, 'query', 'queries')} waiting`,
    },
  ]
  if (detection !== null)
    parts.push({
      name: 'Threat detection',
      isWell: detection.passedOver === 0,
      state: detection.passedOver === 0 ? 'Works' : 'Passed messages over',
      text: `${countOf(detection.filters, 'filter')} on; ${countText(detection.messages)} inspected, ${countText(detection.found)} matched, ${countText(detection.truncated)} in part, ${countText(detection.passedOver)} passed over; ${bytesText(detection.waitingBytes)} waiting`,
    })
  if (stream !== null)
    parts.push({
      name: 'Message stream',
      isWell: stream.isConnected,
      state: stream.isConnected ? 'Connected' : 'Not connected',
      text: `lag ${stream.lag === null ? 'not known yet' : countText(stream.lag)}; ${countText(stream.accepted)} accepted, ${countText(stream.rejected)} rejected, ${countText(stream.deadLetters)} dead letters`,
    })
  return parts
}

function Waiting({ status }: { status: SystemStatus }) {
  return (
    <Paper withBorder component="section" aria-label="Parts">
      <Title order={2} p="md" pb={0}>
        Parts
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        Of the process that answered, since it started.
      </Text>
      <ScrollFrame label="Parts">
        <Table aria-label="Parts" miw={520} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Part</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Figures</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {partsOf(status).map(({ name, isWell, state, text }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  <Tag tone={isWell ? 'green' : 'red'}>{state}</Tag>
                </Table.Td>
                <Table.Td>{text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
    </Paper>
  )
}

function Work({ work }: { work: SystemStatus['work'] }) {
  return (
    <Paper withBorder component="section" aria-label="Background work">
      <Title order={2} p="md" pb="xs">
        Background work
      </Title>
      <ScrollFrame label="Background work">
        <Table aria-label="Background work" miw={420} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Work</Table.Th>
              <Table.Th ta="right">Running</Table.Th>
              <Table.Th ta="right">Waiting</Table.Th>
              <Table.Th>Oldest since</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {work.map(({ kind, running, waiting, oldestSince }) => (
              <Table.Tr key={kind}>
                <Table.Td>{workNames[kind]}</Table.Td>
                <Table.Td ta="right">{countText(running)}</Table.Td>
                <Table.Td ta="right">{countText(waiting)}</Table.Td>
                <Table.Td>
                  <TimeAgo seconds={oldestSince} never="–" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
    </Paper>
  )
}

function Instances({ instances }: { instances: SystemStatus['instances'] }) {
  const now = Math.floor(Date.now() / 1000)
  return (
    <Paper withBorder component="section" aria-label="Processes">
      <Title order={2} p="md" pb="xs">
        Processes
      </Title>
      {instances.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          A process appears here with its first message.
        </Text>
      )}
      {instances.length > 0 && (
        <ScrollFrame label="Processes">
          <Table aria-label="Processes" miw={480} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Process</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Started</Table.Th>
                <Table.Th>Last heartbeat</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {instances.map(({ id, startedAt, seenAt }) => (
                <Table.Tr key={id}>
                  <Table.Td ff="monospace">{id}</Table.Td>
                  <Table.Td>
                    {now - seenAt > SILENT_SECONDS ? (
                      <Tag tone="orange">Silent</Tag>
                    ) : (
                      <Tag tone="green">Works</Tag>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <TimeAgo seconds={startedAt} />
                  </Table.Td>
                  <Table.Td>
                    <TimeAgo seconds={seenAt} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollFrame>
      )}
    </Paper>
  )
}
