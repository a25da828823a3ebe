import { Alert, Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type RefObject, useState } from 'react'
import type { MaliciousEvent } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { useOwnUser } from '../../data/use-own-user.ts'
import { countText } from '../../data/words.ts'
import { eventReads } from './events.tsx'
import { useFilterNames } from './use-filter-names.ts'

const DAY = 86_400
const lengths = [
  { value: '0', label: 'Until it is removed' },
  { value: '7', label: 'One week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
]

type Scope = 'url' | 'host' | 'actor' | 'hostActor'

interface MarkFalseDialogProps {
  readonly event: MaliciousEvent
  /** What gets the focus back. */
  readonly returnTo: RefObject<HTMLElement | null>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What a suppression of each scope looks at of an event, beside its filter. */
function scopeOf(scope: Scope, { host, actor }: MaliciousEvent) {
  return {
    host: scope === 'host' || scope === 'hostActor' ? host : null,
    actor: scope === 'actor' || scope === 'hostActor' ? actor : null,
  }
}

/**
 * Marks an event as a false positive: it is ignored, and a rule keeps events of its kind from being stored. How many
 * stored events the rule fits is shown before it is made.
 */
export function MarkFalseDialog({ event, returnTo, onClose, onDone }: MarkFalseDialogProps) {
  const isAdmin = useOwnUser()?.role === 'ADMIN'
  const { nameOf } = useFilterNames()
  const [scope, setScope] = useState<Scope>('url')
  const [days, setDays] = useState('0')
  const [reason, setReason] = useState('')
  const ignore = useWrite('updateMaliciousEventStatus', [...eventReads, 'fetchThreatSuppressions'])
  const suppress = useWrite('addThreatSuppression', ['fetchThreatSuppressions'])
  const isRuleMade = suppress.isSuccess
  const places = scopeOf(scope, event)
  const fitting = useFitting(event, scope)
  const save = async () => {
    // A rule that was made before the second step failed is not made again.
    if (scope !== 'url' && !isRuleMade) {
      await suppress.mutateAsync({
        filterId: event.filterId,
        ...places,
        reason: reason.trim() || 'False positive',
        expiresAt: days === '0' ? 0 : Math.floor(Date.now() / 1000) + Number(days) * DAY,
      })
    }
    await ignore.mutateAsync({ eventIds: [event.id], status: 'IGNORED', suppress: scope === 'url' })
    notifications.show({
      title: 'Marked as a false positive',
      message: 'Events of this kind are no longer stored. Settings › Threat detection lists the rule.',
    })
    onDone()
  }
  const error = suppress.error ?? ignore.error
  return (
    <Dialog
      onClose={onClose}
      returnTo={returnTo}
      title={`False positive of ${nameOf(event.filterId)}`}
      size="lg"
    >
      <form
        onSubmit={(submit) => {
          submit.preventDefault()
          // A refusal is shown from the state of the writes.
          save().catch(() => undefined)
        }}
      >
        <Stack>
          <ScopeChoice
            event={event}
            scope={scope}
            mayChoose={(value) => !isRuleMade && (value === 'url' || isAdmin)}
            onScope={setScope}
          />
          {!isAdmin && (
            <Text size="sm" c="dimmed">
              Wider rules need an administrator.
            </Text>
          )}
          <Text size="sm" aria-live="polite">
            {fitting === undefined
              ? 'Counting the stored events that match the rule …'
              : `Stored events that match the rule: ${countText(fitting)}. The rule does not delete them.`}
          </Text>
          {scope !== 'url' && !isRuleMade && (
            <EndFields days={days} reason={reason} onDays={setDays} onReason={setReason} />
          )}
          {scope === 'actor' && (
            <Alert color="yellow" p="xs">
              Attacks of this actor that the filter would find on any host are dropped, too.
            </Alert>
          )}
          {error && <FailureNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" loading={suppress.isPending || ignore.isPending}>
              Mark as false positive
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** How many stored events a rule fits; undefined until they are counted. */
function useFitting(event: MaliciousEvent, scope: Scope): number | undefined {
  const { host, actor } = scopeOf(scope, event)
  return useRead('fetchSuspectSampleData', {
    startTimestamp: 0,
    endTimestamp: 0,
    limit: 1,
    skip: 0,
    latestAttack: [event.filterId],
    urls: scope === 'url' ? [event.url] : [],
    hosts: host === null ? [] : [host],
    ips: actor === null ? [] : [actor],
  }).data?.total
}

interface ScopeChoiceProps {
  readonly event: MaliciousEvent
  readonly scope: Scope
  readonly mayChoose: (scope: Scope) => boolean
  readonly onScope: (scope: Scope) => void
}

function ScopeChoice({ event, scope, mayChoose, onScope }: ScopeChoiceProps) {
  const scopes: readonly { value: Scope; label: string }[] = [
    { value: 'url', label: 'This filter on this URL' },
    ...(event.host === '' ? [] : [{ value: 'host' as const, label: `This filter on ${event.host}` }]),
    { value: 'actor', label: `This filter for ${event.actor}` },
    ...(event.host === ''
      ? []
      : [{ value: 'hostActor' as const, label: `This filter on ${event.host}, only for ${event.actor}` }]),
  ]
  return (
    <Radio.Group
      label="No longer store events of"
      value={scope}
      onChange={(value) => onScope(value as Scope)}
    >
      <Stack gap="xs" mt="xs">
        {scopes.map(({ value, label }) => (
          <Radio
            key={value}
            value={value}
            label={label}
            disabled={!mayChoose(value)}
            styles={{ label: { overflowWrap: 'anywhere' } }}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface EndFieldsProps {
  readonly days: string
  readonly reason: string
  readonly onDays: (days: string) => void
  readonly onReason: (reason: string) => void
}

function EndFields({ days, reason, onDays, onReason }: EndFieldsProps) {
  return (
    <>
      <Select
        label="How long"
        data={lengths}
        value={days}
        allowDeselect={false}
        onChange={(value) => onDays(value ?? '0')}
      />
      <TextInput
        label="Why"
        maxLength={1000}
        value={reason}
        onChange={(change) => onReason(change.currentTarget.value)}
      />
    </>
  )
}
