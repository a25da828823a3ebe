import {
  Anchor,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { Link } from 'react-router'
import { severities } from '../../../contract/browser.ts'
import { severityWord } from '../../components/testing/severity-tag.tsx'
import { TimeZoneField } from '../../components/time-zone-field.tsx'
import { useRead } from '../../data/use-operation.ts'
import { rhythms } from './rhythm.ts'
import { runConcurrency, runMinutes } from './run-limits.ts'
import type { Rhythm, RunPlan, WriteLevel } from './run-plan.ts'

interface StepProps {
  readonly plan: RunPlan
  readonly onChange: (changes: Partial<RunPlan>) => void
}

const writeLevels: readonly { value: WriteLevel; label: string; meaning: string }[] = [
  { value: 'READ_ONLY', label: 'None', meaning: 'Tests that write are not run.' },
  {
    value: 'REVERSIBLE',
    label: 'Reversible',
    meaning: 'Only what Vigil can undo is written. Tests that need more are not verified.',
  },
  {
    value: 'ALL',
    label: 'All',
    meaning: 'Also what cannot be undone, such as orders or deletions. For test installations.',
  },
]

/** Third step: name, time, role, limits, other target, alerts. */
export function OptionsStep({ plan, onChange }: StepProps) {
  const roles = useRead('fetchTestRoles', {}).data?.testRoles ?? []
  return (
    <Paper withBorder p="md" component="section" aria-label="When and how">
      <Title order={2} mb="sm">
        3. When and how
      </Title>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="To find the run again."
          maxLength={200}
          value={plan.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Group grow align="flex-end" preventGrowOverflow={false} wrap="wrap">
          <Select
            label="Repeats"
            data={[...rhythms]}
            value={plan.rhythm}
            allowDeselect={false}
            onChange={(rhythm) => onChange({ rhythm: (rhythm ?? 'once') as Rhythm })}
          />
          <TextInput
            label="Starts"
            description="Empty: at once."
            type="datetime-local"
            value={plan.starts}
            onChange={(event) => onChange({ starts: event.currentTarget.value })}
          />
          <TimeZoneField
            description="A repeating run keeps its time of day there."
            value={plan.timeZone}
            onChange={(timeZone) => onChange({ timeZone })}
          />
        </Group>
        <Select
          label="Role under test"
          description="The credentials that requests carry. Without a role, those of the recorded users."
          placeholder="As recorded"
          data={roles.map((role) => ({ value: role.hexId, label: role.name }))}
          value={plan.roleId || null}
          onChange={(roleId) => onChange({ roleId: roleId ?? '' })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear: role under test' }}
        />
        <Limits plan={plan} onChange={onChange} />
        <TextInput
          label="Send the requests elsewhere"
          description="Scheme and host of another installation of the same API. Empty: where the traffic was seen."
          placeholder="https://staging.example.com"
          type="url"
          maxLength={2000}
          value={plan.overrideUrl}
          onChange={(event) => onChange({ overrideUrl: event.currentTarget.value })}
        />
        <Checkbox
          label="Leave open issues open when their test passes"
          checked={plan.keepsIssuesOpen}
          onChange={(event) => onChange({ keepsIssuesOpen: event.currentTarget.checked })}
        />
        <Select
          label="Writes"
          description={writeLevels.find(({ value }) => value === plan.writeLevel)?.meaning}
          data={writeLevels.map(({ value, label }) => ({ value, label }))}
          value={plan.writeLevel}
          allowDeselect={false}
          onChange={(level) => onChange({ writeLevel: (level ?? 'REVERSIBLE') as WriteLevel })}
        />
        <Checkbox
          label="Undo what the tests write"
          description="Delete what they create and restore what they change."
          checked={plan.cleansUp}
          onChange={(event) => onChange({ cleansUp: event.currentTarget.checked })}
        />
        <Alerts plan={plan} onChange={onChange} />
        <Tickets plan={plan} onChange={onChange} />
      </Stack>
    </Paper>
  )
}

function Limits({ plan, onChange }: StepProps) {
  return (
    <Group grow align="flex-end" preventGrowOverflow={false} wrap="wrap">
      <NumberInput
        label="Time limit in minutes"
        description={`The run ends then. Usually ${runMinutes.byDefault}.`}
        min={1}
        max={runMinutes.most}
        allowDecimal={false}
        value={plan.runSeconds > 0 ? plan.runSeconds / 60 : ''}
        onChange={(value) => onChange({ runSeconds: Number(value) > 0 ? Number(value) * 60 : -1 })}
      />
      <NumberInput
        label="Requests at once"
        description={`Usually ${runConcurrency.byDefault}. The rate of a host is a setting of the server.`}
        min={1}
        max={runConcurrency.most}
        allowDecimal={false}
        value={plan.concurrency > 0 ? plan.concurrency : ''}
        onChange={(value) => onChange({ concurrency: Number(value) > 0 ? Number(value) : -1 })}
      />
    </Group>
  )
}

function NoChannel() {
  return (
    <>
      No such channel yet.{' '}
      <Anchor component={Link} to="/settings/alerts" inherit underline="always">
        Add one
      </Anchor>
    </>
  )
}

function Alerts({ plan, onChange }: StepProps) {
  const { data } = useRead('fetchSlackWebhooks', {})
  const teams = useRead('checkWebhook', { webhookType: 'MICROSOFT_TEAMS' }).data
  const webhooks = data?.apiTokenList ?? []
  return (
    <Stack gap="xs">
      <Checkbox
        label="Tell Slack when the run ends"
        description={data && webhooks.length === 0 ? <NoChannel /> : undefined}
        disabled={webhooks.length === 0}
        checked={plan.slack}
        onChange={(event) => onChange({ slack: event.currentTarget.checked })}
      />
      {plan.slack && webhooks.length > 1 && (
        <Select
          label="Webhook"
          data={webhooks.map((one) => ({ value: String(one.id), label: one.name || String(one.id) }))}
          value={String(plan.slackWebhook || (webhooks[0]?.id ?? 0))}
          allowDeselect={false}
          onChange={(id) => onChange({ slackWebhook: Number(id) })}
        />
      )}
      <Checkbox
        label="Tell Microsoft Teams when the run ends"
        description={teams?.webhookPresent === false ? <NoChannel /> : undefined}
        disabled={teams?.webhookPresent === false}
        checked={plan.teams}
        onChange={(event) => onChange({ teams: event.currentTarget.checked })}
      />
      {plan.rhythm === 'continuous' && (
        <Text size="xs" c="dimmed">
          A continuous run checks for new endpoints every five minutes and tests only those.
        </Text>
      )}
    </Stack>
  )
}

function Tickets({ plan, onChange }: StepProps) {
  const trackers = useRead('fetchIntegration', {}).data?.integrations ?? []
  if (trackers.length === 0) return null
  return (
    <Group grow align="flex-end" preventGrowOverflow={false} wrap="wrap">
      <TextInput
        label="Create tickets in"
        description="owner/repository of GitHub, or the key of a Jira project. Empty: no tickets."
        maxLength={300}
        value={plan.ticketProject}
        onChange={(event) => onChange({ ticketProject: event.currentTarget.value })}
      />
      {plan.ticketProject.trim() !== '' && (
        <MultiSelect
          label="Of these severities"
          data={severities.map((value) => ({ value, label: severityWord(value) }))}
          value={[...plan.ticketSeverities]}
          onChange={(ticketSeverities) => onChange({ ticketSeverities })}
        />
      )}
    </Group>
  )
}
