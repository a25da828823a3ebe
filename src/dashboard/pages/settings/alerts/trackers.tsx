import { Button, Group, Paper, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { type ResponseOf, trackerTypes } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useRead, useWrite } from '../../../data/use-operation.ts'
import { trackerWords } from './alert-words.ts'

type Tracker = ResponseOf<'fetchIntegration'>['integrations'][number]
type TrackerType = (typeof trackerTypes)[number]

const trackerReads = ['fetchIntegration'] as const
const usualAddress: Record<TrackerType, string> = { GITHUB: 'https://api.github.com', JIRA: '' }
const addressHints: Record<TrackerType, string> = {
  GITHUB: 'Of the REST interface; of an Enterprise server https://<host>/api/v3.',
  JIRA: 'https://<site>.atlassian.net, or the address of a server of your own.',
}

/** Where tickets are made: one tracker of each kind. Who may change them is undefined until it is known. */
export function Trackers({ isAdmin }: { isAdmin: boolean | undefined }) {
  const { data, error, refetch } = useRead('fetchIntegration', {})
  const [open, setOpen] = useState<{ what: 'set' | 'delete'; type: TrackerType } | null>(null)
  const close = () => setOpen(null)
  const known = (type: TrackerType) => data?.integrations.find((one) => one.trackerType === type)
  return (
    <Paper withBorder p="md" component="section" aria-label="Ticket trackers">
      <Title order={2} mb={4}>
        Ticket trackers
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Runs create tickets if they are set up to; for one issue, create a ticket on its page. Tokens are
        stored encrypted and never shown.
      </Text>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={80} />}
      {data && (
        <Stack gap="sm">
          {trackerTypes.map((type) => (
            <TrackerRow
              key={type}
              type={type}
              tracker={known(type)}
              isAdmin={isAdmin === true}
              onOpen={(what) => setOpen({ what, type })}
            />
          ))}
          {isAdmin === false && <Text size="sm">Only administrators can set them up.</Text>}
        </Stack>
      )}
      {open?.what === 'set' && <TrackerDialog type={open.type} tracker={known(open.type)} onClose={close} />}
      {open?.what === 'delete' && <RemoveTracker type={open.type} onClose={close} />}
    </Paper>
  )
}

interface TrackerRowProps {
  readonly type: TrackerType
  readonly tracker: Tracker | undefined
  readonly isAdmin: boolean
  readonly onOpen: (what: 'set' | 'delete') => void
}

function TrackerRow({ type, tracker, isAdmin, onOpen }: TrackerRowProps) {
  const word = trackerWords[type]
  return (
    <Group justify="space-between" wrap="wrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{word}</Text>
          {tracker ? <Tag tone="green">set up</Tag> : <Tag>not set up</Tag>}
        </Group>
        {tracker && (
          <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
            {tracker.baseUrl}
            {tracker.userEmail && `, as ${tracker.userEmail}`}; by {tracker.updatedBy},{' '}
            <TimeAgo seconds={tracker.updatedTs} />
          </Text>
        )}
      </div>
      {isAdmin && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={`${tracker ? 'Change' : 'Set up'} ${word}`}
            onClick={() => onOpen('set')}
          >
            {tracker ? 'Change' : 'Set up'}
          </Button>
          {tracker && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove ${word}`}
              onClick={() => onOpen('delete')}
            >
              Remove
            </Button>
          )}
        </Group>
      )}
    </Group>
  )
}

function RemoveTracker({ type, onClose }: { type: TrackerType; onClose: () => void }) {
  const remove = useWrite('deleteTicketTracker', trackerReads)
  return (
    <ConfirmDialog
      title={`Remove ${trackerWords[type]}?`}
      confirmLabel="Remove the tracker"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ trackerType: type }, { onSuccess: onClose })}
    >
      Its token is deleted. Existing tickets stay linked to their issues.
    </ConfirmDialog>
  )
}

interface TrackerDialogProps {
  readonly type: TrackerType
  readonly tracker: Tracker | undefined
  readonly onClose: () => void
}

function TrackerDialog({ type, tracker, onClose }: TrackerDialogProps) {
  const save = useWrite('saveTicketTracker', trackerReads)
  return (
    <Dialog onClose={onClose} title={`Set up ${trackerWords[type]}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const text = (name: string) => String(fields.get(name) ?? '').trim()
          save.mutate(
            {
              trackerType: type,
              baseUrl: text('baseUrl'),
              userEmail: text('userEmail'),
              apiToken: text('apiToken'),
            },
            { onSuccess: onClose },
          )
        }}
      >
        <Stack>
          <TextInput
            label="Address"
            description={addressHints[type]}
            name="baseUrl"
            type="url"
            required
            maxLength={500}
            defaultValue={tracker?.baseUrl ?? usualAddress[type]}
            data-autofocus
          />
          {type === 'JIRA' && (
            <TextInput
              label="E-mail of the account"
              description="Required for Jira Cloud; leave empty with a personal access token."
              name="userEmail"
              maxLength={300}
              defaultValue={tracker?.userEmail ?? ''}
            />
          )}
          <PasswordInput
            label="Token"
            name="apiToken"
            required
            maxLength={2000}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          />
          {save.error && <FailureNotice error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Store it
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
