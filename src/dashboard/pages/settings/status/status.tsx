import { Alert, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { dropWord } from '../../../data/drop-word.ts'
import { hidesContent } from '../../../data/query-client.ts'
import { useRead } from '../../../data/use-operation.ts'
import { countText } from '../../../data/words.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { type PlainKey, t } from '../../../i18n/translate.ts'
import classes from './status.module.css'

type SystemStatus = ResponseOf<'fetchSystemStatus'>

/** A process without a heartbeat for so long is gone, or cannot reach the store. */
const SILENT_SECONDS = 60
const workNames = {
  IMPORT: 'status.imports',
  TEST_RUN: 'nav.runs',
  CRAWL: 'nav.crawls',
  ALERT: 'status.alerts',
} as const
const refusals: Readonly<Record<string, PlainKey>> = {
  STORE_FULL: 'status.storeFull',
  STORE_UNAVAILABLE: 'status.storeAway',
}

/** Whether the installation itself is well: every stage that messages pass, what waits, and which processes work. */
export default function Status() {
  const { data, error, refetch } = useRead('fetchSystemStatus', {}, { refreshEvery: 5_000 })
  return (
    <>
      <PageHeader title={t('page.status')} description={t('status.lead')} />
      {hidesContent(error, data) && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={320} />}
      {data && (
        <Stack>
          {data.waiting.refusal !== null && (
            <Alert color="red" title={t('status.refused')} role="alert">
              {t(refusals[data.waiting.refusal] ?? 'status.seeLog')}
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
    { name: t('status.arrived'), count: traffic.arrived, note: t('status.arrivedNote') },
    {
      name: t('status.parsed'),
      count: parsed,
      note:
        traffic.unreadable === 0
          ? t('status.allRead')
          : t('status.unreadable', { count: traffic.unreadable }),
    },
    {
      name: t('status.new'),
      count: parsed - traffic.duplicates,
      note: t('status.known', { count: traffic.duplicates }),
    },
    {
      name: t('status.stored'),
      count: traffic.stored,
      note: left === 0 ? t('status.noneLeftOut') : t('status.leftOut', { count: left }),
    },
  ]
  return (
    <Paper withBorder p="md" component="section" aria-label={t('status.trafficToday')}>
      <Title order={2} mb="xs">
        {t('status.trafficToday')}
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
        <RichText
          id="status.newest"
          values={{ time: <TimeAgo seconds={traffic.lastMessageAt} never={t('status.noneYet')} /> }}
        />
      </Text>
      {dropped.length > 0 && (
        <Table aria-label={t('status.leftOutTable')} verticalSpacing={4} maw={480} mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('status.leftOutBy')}</Table.Th>
              <Table.Th ta="right">{t('status.messages')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {dropped.map(([rule, count]) => (
              <Table.Tr key={rule}>
                <Table.Td data-label={t('status.leftOutBy')}>{dropWord(rule, t)}</Table.Td>
                <Table.Td data-label={t('status.messages')} ta="right">
                  {countText(count)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
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

function partsOf({ waiting, detection, stream, store, replica }: SystemStatus): Part[] {
  const parts: Part[] = [
    {
      name: t('nav.inventory'),
      isWell: waiting.refusal === null,
      state: t(waiting.refusal === null ? 'status.works' : 'status.refuses'),
      text: t('status.notStored', { count: waiting.messages, size: bytesText(waiting.bytes) }),
    },
    {
      name: t('status.store'),
      isWell: !store.isFull,
      state: t(store.isFull ? 'status.full' : 'status.works'),
      text: t('status.storeFigures', {
        kind: store.kind === 'embedded' ? t('status.embedded') : 'PostgreSQL',
        ms: store.answerMilliseconds,
        connections: store.connections,
        waiting: store.waitingQueries,
      }),
    },
  ]
  if (detection !== null)
    parts.push({
      name: t('status.detection'),
      isWell: detection.passedOver === 0,
      state: t(detection.passedOver === 0 ? 'status.works' : 'status.passedOver'),
      text: t('status.detectionFigures', {
        filters: detection.filters,
        inspected: detection.messages,
        matched: detection.found,
        truncated: detection.truncated,
        passed: detection.passedOver,
        waiting: bytesText(detection.waitingBytes),
      }),
    })
  if (replica !== null)
    parts.push({
      name: t('status.replica'),
      isWell: replica.isUsable,
      state: t(replica.isUsable ? 'status.works' : 'status.replicaUnused'),
      text: t('status.replicaFigures', {
        lag: replica.lagMilliseconds ?? t('status.lagUnknown'),
        reads: replica.reads,
        primary: replica.passedOver + replica.repeated,
      }),
    })
  if (stream !== null)
    parts.push({
      name: t('status.stream'),
      isWell: stream.isConnected,
      state: t(stream.isConnected ? 'status.connected' : 'status.notConnected'),
      text: t('status.streamFigures', {
        lag: stream.lag ?? t('status.lagUnknown'),
        accepted: stream.accepted,
        rejected: stream.rejected,
        dead: stream.deadLetters,
      }),
    })
  return parts
}

function Waiting({ status }: { status: SystemStatus }) {
  return (
    <Paper withBorder component="section" aria-label={t('status.parts')}>
      <Title order={2} p="md" pb={0}>
        {t('status.parts')}
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        {t('status.partsNote')}
      </Text>
      <CardFrame label={t('status.parts')}>
        <Table aria-label={t('status.parts')} miw={520} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('status.part')}</Table.Th>
              <Table.Th>{t('common.state')}</Table.Th>
              <Table.Th>{t('status.figures')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {partsOf(status).map(({ name, isWell, state, text }) => (
              <Table.Tr key={name}>
                <Table.Td data-label={t('status.part')}>{name}</Table.Td>
                <Table.Td data-label={t('common.state')}>
                  <Tag tone={isWell ? 'green' : 'red'}>{state}</Tag>
                </Table.Td>
                <Table.Td data-label={t('status.figures')}>{text}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </Paper>
  )
}

function Work({ work }: { work: SystemStatus['work'] }) {
  return (
    <Paper withBorder component="section" aria-label={t('status.work')}>
      <Title order={2} p="md" pb="xs">
        {t('status.work')}
      </Title>
      <CardFrame label={t('status.work')}>
        <Table aria-label={t('status.work')} miw={420} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('status.workColumn')}</Table.Th>
              <Table.Th ta="right">{t('status.running')}</Table.Th>
              <Table.Th ta="right">{t('status.waiting')}</Table.Th>
              <Table.Th>{t('status.oldest')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {work.map(({ kind, running, waiting, oldestSince }) => (
              <Table.Tr key={kind}>
                <Table.Td data-label={t('status.workColumn')}>{t(workNames[kind])}</Table.Td>
                <Table.Td data-label={t('status.running')} ta="right">
                  {countText(running)}
                </Table.Td>
                <Table.Td data-label={t('status.waiting')} ta="right">
                  {countText(waiting)}
                </Table.Td>
                <Table.Td data-label={t('status.oldest')}>
                  <TimeAgo seconds={oldestSince} never="–" />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
    </Paper>
  )
}

function Instances({ instances }: { instances: SystemStatus['instances'] }) {
  const now = Math.floor(Date.now() / 1000)
  return (
    <Paper withBorder component="section" aria-label={t('status.processes')}>
      <Title order={2} p="md" pb="xs">
        {t('status.processes')}
      </Title>
      {instances.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {t('status.noProcess')}
        </Text>
      )}
      {instances.length > 0 && (
        <CardFrame label={t('status.processes')}>
          <Table aria-label={t('status.processes')} miw={480} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('status.process')}</Table.Th>
                <Table.Th>{t('common.state')}</Table.Th>
                <Table.Th>{t('status.started')}</Table.Th>
                <Table.Th>{t('status.heartbeat')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {instances.map(({ id, startedAt, seenAt }) => (
                <Table.Tr key={id}>
                  <Table.Td data-label={t('status.process')} ff="monospace">
                    {id}
                  </Table.Td>
                  <Table.Td data-label={t('common.state')}>
                    {now - seenAt > SILENT_SECONDS ? (
                      <Tag tone="orange">{t('status.silent')}</Tag>
                    ) : (
                      <Tag tone="green">{t('status.works')}</Tag>
                    )}
                  </Table.Td>
                  <Table.Td data-label={t('status.started')}>
                    <TimeAgo seconds={startedAt} />
                  </Table.Td>
                  <Table.Td data-label={t('status.heartbeat')}>
                    <TimeAgo seconds={seenAt} />
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
