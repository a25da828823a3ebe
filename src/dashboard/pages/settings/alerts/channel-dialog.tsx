import { Button, Checkbox, Group, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type RequestBodyOf,
  severities,
  type WebhookType,
  webhookOptions,
  webhookTypes,
  webhookTypeTable,
} from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { severityWord } from '../../../components/testing/severity-tag.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { eventWords } from './alert-words.ts'
import { channelReads } from './channel-reads.ts'
import type { Channel } from './channels.tsx'
import { headersOf } from './header-lines.ts'

type Hearing = Pick<Channel, 'webhookName' | 'selectedWebhookOptions' | 'leastSeverity'>

/** Adds a channel. */
export function NewChannelDialog({ onClose }: { onClose: () => void }) {
  const add = useWrite('addCustomWebhook', channelReads)
  const [type, setType] = useState<WebhookType>('SLACK')
  const [hearing, setHearing] = useState<Hearing>({
    webhookName: '',
    selectedWebhookOptions: ['NEW_ISSUES'],
    leastSeverity: 'HIGH',
  })
  return (
    <Dialog onClose={onClose} title="New channel">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const text = (name: string) => String(fields.get(name) ?? '')
          const body: RequestBodyOf<'addCustomWebhook'> = {
            ...hearing,
            webhookType: type,
            url: text('url').trim(),
            headers: headersOf(text('headers')),
            signingKey: text('signingKey'),
          }
          add.mutate(body, { onSuccess: onClose })
        }}
      >
        <Stack>
          <Select
            label="Kind"
            data={webhookTypes.map((value) => ({ value, label: webhookTypeTable[value].label }))}
            value={type}
            allowDeselect={false}
            onChange={(next) => setType((next ?? 'SLACK') as WebhookType)}
            data-autofocus
          />
          <TextInput
            label={webhookTypeTable[type].address.label}
            description={webhookTypeTable[type].address.hint}
            name="url"
            required
            maxLength={2000}
            placeholder={webhookTypeTable[type].address.placeholder}
            autoComplete="off"
          />
          <HearingFields hearing={hearing} onChange={setHearing} />
          {webhookTypeTable[type].isForPrograms && (
            <>
              <Textarea
                label="Headers"
                description="For a credential of the receiver. One per line: name, colon, value."
                name="headers"
                autosize
                minRows={1}
                maxRows={5}
              />
              <PasswordInput
                label="Signing key"
                description="With a key, each message carries an HMAC, so the receiver can verify its origin."
                name="signingKey"
                maxLength={500}
                autoComplete="off"
                visibilityToggleButtonProps={{ 'aria-label': 'Show the signing key' }}
              />
            </>
          )}
          {add.error && <FailureNotice error={add.error} />}
          <Buttons label="Add the channel" busy={add.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

/** Changes what a channel is called and hears of. Its address cannot be changed: a new channel takes another. */
export function ChangeChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const change = useWrite('updateCustomWebhook', channelReads)
  const [hearing, setHearing] = useState<Hearing>({
    webhookName: channel.webhookName,
    selectedWebhookOptions: channel.selectedWebhookOptions,
    leastSeverity: channel.leastSeverity,
  })
  return (
    <Dialog onClose={onClose} title={`Change ${channel.webhookName}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ ...hearing, id: channel.id }, { onSuccess: onClose })
        }}
      >
        <Stack>
          <HearingFields hearing={hearing} onChange={setHearing} />
          {change.error && <FailureNotice error={change.error} />}
          <Buttons label="Save the channel" busy={change.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

interface HearingFieldsProps {
  readonly hearing: Hearing
  readonly onChange: (hearing: Hearing) => void
}

function HearingFields({ hearing, onChange }: HearingFieldsProps) {
  const hears = new Set(hearing.selectedWebhookOptions)
  return (
    <>
      <TextInput
        label="Name"
        description="Empty: the host of the address."
        maxLength={100}
        placeholder="security"
        value={hearing.webhookName}
        onChange={(event) => onChange({ ...hearing, webhookName: event.currentTarget.value })}
      />
      <Checkbox.Group
        label="Notified of"
        description="In addition to runs that ask for it."
        value={[...hears]}
        onChange={(next) =>
          onChange({
            ...hearing,
            selectedWebhookOptions: webhookOptions.filter((option) => next.includes(option)),
          })
        }
      >
        <Stack gap={6} mt={6}>
          {webhookOptions.map((option) => (
            <Checkbox key={option} value={option} label={eventWords[option]} />
          ))}
        </Stack>
      </Checkbox.Group>
      {(hears.has('NEW_ISSUES') || hears.has('NEW_THREATS')) && (
        <Select
          label="Issues and events from this severity on"
          data={severities.map((value) => ({ value, label: severityWord(value) }))}
          value={hearing.leastSeverity}
          allowDeselect={false}
          onChange={(next) =>
            onChange({ ...hearing, leastSeverity: (next ?? 'LOW') as Hearing['leastSeverity'] })
          }
        />
      )}
    </>
  )
}

function Buttons({ label, busy, onClose }: { label: string; busy: boolean; onClose: () => void }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </Group>
  )
}
