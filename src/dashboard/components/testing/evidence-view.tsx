import { Alert, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { StatusTag } from '../endpoint/status-tag.tsx'
import { ExchangeView } from '../exchange/exchange-view.tsx'
import { Tag } from '../tag.tsx'
import { attemptTitle } from './attempt-title.ts'
import { CompareView } from './compare-view.tsx'
import { ConditionTree } from './condition-tree.tsx'
import { CopyMenu } from './copy-menu.tsx'
import type { EvidenceAttempt, EvidenceControl, Reason, ResultEvidence } from './read-evidence.ts'

/** Attempts shown as tabs at most; the file of evidence has all. */
const mostAttempts = 30

interface EvidenceViewProps {
  readonly evidence: ResultEvidence
  /** The result is a finding: only then can an attempt prove anything. */
  readonly isFinding: boolean
}

/** Baseline, attempts and control of a result, each with request and answer, and why it was judged so. */
export function EvidenceView({ evidence, isFinding }: EvidenceViewProps) {
  const attempts = evidence.attempts.slice(0, mostAttempts)
  const proving = isFinding ? attempts.findIndex((attempt) => attempt.validates) : -1
  const hasBaseline = evidence.baseline !== null
  const compared = isFinding ? (attempts[proving] ?? null) : (attempts[0] ?? null)
  const comparable = compared?.exchange ? compared : null
  const first =
    comparable !== null
      ? 'compare'
      : attempts.length > 0
        ? `attempt-${Math.max(proving, 0)}`
        : hasBaseline
          ? 'baseline'
          : 'control'
  if (attempts.length === 0 && !hasBaseline && evidence.control === null) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was sent, so there is no request to show.
      </Text>
    )
  }
  return (
    <Tabs defaultValue={first} keepMounted={false}>
      <Tabs.List aria-label="Evidence">
        {comparable && <Tabs.Tab value="compare">Compare</Tabs.Tab>}
        {hasBaseline && (
          <Tabs.Tab value="baseline">
            {evidence.isGenerated ? 'Generated request' : 'Recorded before'}
          </Tabs.Tab>
        )}
        {attempts.map((attempt, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of one result never move
          <Tabs.Tab key={at} value={`attempt-${at}`}>
            {attemptTitle(at + 1, attempt, isFinding)}
          </Tabs.Tab>
        ))}
        {evidence.control && <Tabs.Tab value="control">Control</Tabs.Tab>}
      </Tabs.List>
      {comparable && (
        <Tabs.Panel value="compare" pt="md">
          <CompareView evidence={evidence} attempt={comparable} />
          {comparable.reasons !== null && <Judged reason={comparable.reasons} />}
        </Tabs.Panel>
      )}
      {evidence.baseline && (
        <Tabs.Panel value="baseline" pt="md">
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {evidence.isGenerated
                ? 'No traffic was recorded. The run generated this request from the API description.'
                : 'What the endpoint answered in real traffic.'}{' '}
              The attempts were made from this request.
            </Text>
            <ExchangeView {...evidence.baseline} />
          </Stack>
        </Tabs.Panel>
      )}
      {attempts.map((attempt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of one result never move
        <Tabs.Panel key={at} value={`attempt-${at}`} pt="md">
          <AttemptView attempt={attempt} isFinding={isFinding} />
        </Tabs.Panel>
      ))}
      {evidence.control && (
        <Tabs.Panel value="control" pt="md">
          <ControlView control={evidence.control} />
        </Tabs.Panel>
      )}
      {evidence.attempts.length > mostAttempts && (
        <Text size="sm" c="dimmed" mt="sm">
          {evidence.attempts.length - mostAttempts} more attempts are in the file of evidence.
        </Text>
      )}
    </Tabs>
  )
}

function AttemptView({ attempt, isFinding = true }: { attempt: EvidenceAttempt; isFinding?: boolean }) {
  const { exchange, reasons } = attempt
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          {attempt.validates ? (
            <Tag tone={isFinding ? 'red' : 'gray'}>
              {isFinding ? 'Meets the condition' : 'Meets the condition of its step'}
            </Tag>
          ) : (
            <Tag>Does not meet it</Tag>
          )}
          {exchange !== null && exchange.status > 0 && <StatusTag code={exchange.status} />}
          <Text size="sm" c="dimmed">
            {attempt.responseTimeMs} ms; {attempt.percentageMatch} % of the answer equals the recorded one
          </Text>
        </Group>
        <CopyMenu attempt={attempt} />
      </Group>
      {attempt.isTruncated && (
        <Alert color="yellow" p="xs">
          The answer was longer than what is kept; its end was cut.
        </Alert>
      )}
      {reasons !== null && <Judged reason={reasons} />}
      {exchange === null ? (
        <Text size="sm" c="dimmed">
          The request is not stored.
        </Text>
      ) : (
        <ExchangeView {...exchange} />
      )}
    </Stack>
  )
}

function Judged({ reason }: { reason: Reason }) {
  return (
    <section aria-label="Why it was judged so">
      <Title order={3} mb={4} mt="sm">
        Why it was judged so
      </Title>
      <ConditionTree reason={reason} />
    </section>
  )
}

const controlWords: Record<string, string> = {
  unchanged: 'The unchanged request was sent again: without the change nothing may show.',
  stranger: 'The same request was sent with credentials nobody has: a stranger must not see the same.',
  elsewhere: 'The same request was sent to a path nobody made: the host must not answer everything alike.',
  again: 'The request was sent once more: the finding must repeat itself.',
  callback: 'The target called back with an id that cannot be guessed; no other proof is needed.',
}

function ControlView({ control }: { control: EvidenceControl }) {
  return (
    <Stack>
      <Group gap="xs">
        {control.confirms ? (
          <Tag tone="green">Confirms the finding</Tag>
        ) : (
          <Tag tone="orange">Does not confirm</Tag>
        )}
        <Text size="sm">{control.explanation}</Text>
      </Group>
      {Object.hasOwn(controlWords, control.kind) && (
        <Text size="sm" c="dimmed">
          {controlWords[control.kind]}
        </Text>
      )}
      {control.attempt !== null && <AttemptView attempt={control.attempt} />}
    </Stack>
  )
}
