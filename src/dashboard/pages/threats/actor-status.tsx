import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { actorStatuses } from '../../../contract/browser.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { Tag, type TagTone } from '../../components/tag.tsx'
import { useWrite } from '../../data/use-operation.ts'

const tones: Record<string, TagTone> = {
  active: 'orange',
  blocked: 'red',
  mitigated: 'green',
  ignored: 'gray',
}
const HOUR = 3600
const lengths = [
  { value: '0', label: 'Permanently' },
  { value: String(HOUR), label: 'One hour' },
  { value: String(24 * HOUR), label: 'One day' },
  { value: String(7 * 24 * HOUR), label: 'One week' },
]

const statusReads = [
  'fetchThreatActors',
  'fetchThreatActorHistory',
  'fetchThreatActorOverview',
  'getDailyThreatActorsCount',
] as const

/** "Blocked" for `blocked`; other systems may set other words. */
function statusWord(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1)
}

/** Statuses as choices of a filter. */
export const actorStatusChoices = actorStatuses.map((value) => ({ value, label: statusWord(value) }))

/** The status that an actor has. */
export function ActorStatusTag({ status }: { status: string }) {
  return <Tag tone={Object.hasOwn(tones, status) ? tones[status] : 'blue'}>{statusWord(status)}</Tag>
}

interface ActorStatusDialogProps {
  readonly actor: string
  readonly status: string
  readonly onClose: () => void
}

/** Sets the status of an actor. To block somebody their name must be typed: gateways act on it. */
export function ActorStatusDialog({ actor, status, onClose }: ActorStatusDialogProps) {
  const change = useWrite('modifyThreatActorStatus', statusReads)
  const [next, setNext] = useState(status === 'blocked' ? 'active' : 'blocked')
  const [length, setLength] = useState('0')
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const ready = next !== 'blocked' || typed.trim() === actor
  const save = () =>
    change.mutate(
      {
        actorIp: actor,
        status: next,
        reason: reason.trim(),
        expiresAt: length === '0' ? 0 : Math.floor(Date.now() / 1000) + Number(length),
      },
      { onSuccess: ({ notEnforced }) => (notEnforced ?? []).length === 0 && onClose() },
    )
  const gap = change.data?.notEnforced?.[0]
  if (gap)
    return (
      <Dialog onClose={onClose} title={`Status of ${actor}`}>
        <Alert color="orange" title="Blocked, but gateways do not enforce it" role="alert">
          {gap.explanation}
        </Alert>
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Dialog>
    )
  return (
    <Dialog onClose={onClose} title={`Status of ${actor}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) save()
        }}
      >
        <Stack>
          <Select
            label="Status"
            data={actorStatusChoices}
            value={next}
            allowDeselect={false}
            onChange={(value) => setNext(value ?? 'active')}
            data-autofocus
          />
          {next === 'blocked' && (
            <Text size="sm">
              The actor is added to the block list, which gateways enforce if they are configured to. Behind a
              proxy an address may stand for many people.
            </Text>
          )}
          <Select
            label="How long"
            data={lengths}
            value={length}
            allowDeselect={false}
            onChange={(value) => setLength(value ?? '0')}
          />
          <TextInput
            label="Why"
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {next === 'blocked' && (
            <TextInput
              label={`Type “${actor}” to confirm`}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {change.error && <FailureNotice error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={!ready}
              {...(next === 'blocked' ? { color: 'red.8' } : {})}
            >
              Set the status
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
