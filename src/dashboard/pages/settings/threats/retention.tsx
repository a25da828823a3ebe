import { Alert, Button, Group, NumberInput, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { eventDays, type ResponseOf } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../../data/use-operation.ts'

type Configuration = ResponseOf<'fetchThreatConfiguration'>['threatConfiguration']

interface RetentionProps {
  readonly configuration: Configuration
  readonly isAdmin: boolean
}

/** How long events are kept. */
export function Retention({ configuration, isAdmin }: RetentionProps) {
  const [changing, setChanging] = useState(false)
  const { archivalEnabled, archivalDays } = configuration
  return (
    <Paper withBorder p="md" component="section" aria-label="How long events are kept">
      <Group justify="space-between" mb="xs">
        <Title order={2}>How long events are kept</Title>
        {isAdmin && (
          <Button
            variant="default"
            leftSection={<IconPencil size={16} />}
            aria-label="Change how long events are kept"
            onClick={() => setChanging(true)}
          >
            Change
          </Button>
        )}
      </Group>
      <Text>
        {archivalEnabled
          ? `Events are removed after ${archivalDays} days, with their messages.`
          : 'Events are kept permanently.'}
      </Text>
      <Text size="sm" c="dimmed">
        {archivalEnabled && 'Older events are deleted every hour. '}Actors keep their status.
        {!isAdmin && ' Administrators change this.'}
      </Text>
      {changing && <RetentionDialog configuration={configuration} onClose={() => setChanging(false)} />}
    </Paper>
  )
}

interface RetentionDialogProps {
  readonly configuration: Configuration
  readonly onClose: () => void
}

/** Sets how long events are kept; says it before anything would be removed that is kept now. */
function RetentionDialog({ configuration, onClose }: RetentionDialogProps) {
  const write = useWrite('modifyThreatConfiguration', ['fetchThreatConfiguration'])
  const [isRemoving, setRemoving] = useState(configuration.archivalEnabled)
  const [days, setDays] = useState<number | string>(configuration.archivalDays)
  const isFine = typeof days === 'number' && days >= eventDays.least && days <= eventDays.most
  const isShorter =
    isRemoving && isFine && (!configuration.archivalEnabled || days < configuration.archivalDays)
  const save = () =>
    write.mutate(
      {
        threatConfiguration: {
          actor: null,
          archivalEnabled: isRemoving,
          archivalDays: isRemoving ? Number(days) : null,
        },
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog onClose={onClose} title="How long events are kept">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isFine || !isRemoving) save()
        }}
      >
        <Stack>
          <Radio.Group
            label="Events are"
            value={isRemoving ? 'removed' : 'kept'}
            onChange={(next) => setRemoving(next === 'removed')}
          >
            <Stack gap={6} mt={6}>
              <Radio value="removed" label="removed after some days" />
              <Radio value="kept" label="kept permanently" />
            </Stack>
          </Radio.Group>
          {isRemoving && <DaysField days={days} isFine={isFine} onChange={setDays} />}
          {isShorter && <RemovalWarning days={days} />}
          {write.error && <FailureNotice error={write.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={write.isPending}
              disabled={isRemoving && !isFine}
              {...(isShorter ? { color: 'red.8' } : {})}
            >
              {isShorter ? `Remove what is older than ${days} days` : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface DaysFieldProps {
  /** A text while it is none. */
  readonly days: number | string
  readonly isFine: boolean
  readonly onChange: (days: number | string) => void
}

function DaysField({ days, isFine, onChange }: DaysFieldProps) {
  return (
    <NumberInput
      label="Days"
      description={`From ${eventDays.least} to ${eventDays.most}.`}
      value={days}
      onChange={onChange}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      required
      error={isFine ? null : `Give a number from ${eventDays.least} to ${eventDays.most}.`}
    />
  )
}

function RemovalWarning({ days }: { days: number | string }) {
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="Events will be removed">
      Those older than {days} days are deleted with their messages, a week of them at a time. This cannot be
      undone.
    </Alert>
  )
}
