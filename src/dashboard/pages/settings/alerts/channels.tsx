import { ActionIcon, Button, Group, Paper, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconBellRinging, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type ResponseOf, webhookTypeTable } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { severityWord } from '../../../components/testing/severity-tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useRead, useWrite } from '../../../data/use-operation.ts'
import { eventWords } from './alert-words.ts'
import { ChangeChannelDialog, NewChannelDialog } from './channel-dialog.tsx'
import { channelReads } from './channel-reads.ts'
import { TestAlert } from './test-alert.tsx'

/** A channel of alerts as the server lists it. */
export type Channel = ResponseOf<'fetchCustomWebhooks'>['customWebhooks'][number]

type Open =
  | { readonly what: 'change' | 'delete' | 'test'; readonly channel: Channel }
  | { readonly what: 'new' }

/** The channels, each with what it hears of and whether messages arrive. */
export function Channels() {
  const { data, error, refetch } = useRead('fetchCustomWebhooks', {})
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const channels = data?.customWebhooks
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ what: 'new' })}>
      New channel
    </Button>
  )
  return (
    <Paper withBorder component="section" aria-label="Channels">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2}>Channels</Title>
        {channels !== undefined && channels.length > 0 && create}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {channels === undefined && !error && <TableSkeleton rows={3} label="Loading the channels" />}
      {channels?.length === 0 && (
        <EmptyState icon={<IconBellRinging size={28} />} title="No channels yet" actions={create}>
          Add e-mail, Slack, Microsoft Teams or a webhook to be notified when a run ends, issues or attacks
          are found, or an actor is blocked.
        </EmptyState>
      )}
      {channels !== undefined && channels.length > 0 && <ChannelTable channels={channels} onOpen={setOpen} />}
      {open?.what === 'new' && <NewChannelDialog onClose={close} />}
      {open?.what === 'change' && <ChangeChannelDialog channel={open.channel} onClose={close} />}
      {open?.what === 'test' && <TestAlert channel={open.channel} onClose={close} />}
      {open?.what === 'delete' && <DeleteChannel channel={open.channel} onClose={close} />}
    </Paper>
  )
}

interface ChannelTableProps {
  readonly channels: readonly Channel[]
  readonly onOpen: (open: Open) => void
}

function ChannelTable({ channels, onOpen }: ChannelTableProps) {
  return (
    <CardFrame label="Channels">
      <Table aria-label="Channels" miw={760} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Channel</Table.Th>
            <Table.Th>Notified of</Table.Th>
            <Table.Th>Newest message</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {channels.map((channel) => (
            <Table.Tr key={channel.id}>
              <Table.Td data-label="Channel">
                <div>
                  <Group gap="xs">
                    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                      {channel.webhookName}
                    </Text>
                    <Tag>{webhookTypeTable[channel.webhookType].label}</Tag>
                    {channel.isSigned && <Tag tone="blue">signed</Tag>}
                  </Group>
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {channel.url}
                  </Text>
                </div>
              </Table.Td>
              <Table.Td data-label="Notified of">
                <HearsOf channel={channel} />
              </Table.Td>
              <Table.Td data-label="Newest message" maw={280}>
                {channel.problem === null ? (
                  <TimeAgo seconds={channel.lastDelivered} never="none yet" />
                ) : (
                  <>
                    <Tag tone="red">not delivered</Tag>
                    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                      {channel.problem}
                    </Text>
                  </>
                )}
              </Table.Td>
              <Table.Td>
                <ChannelActions channel={channel} onOpen={onOpen} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

function HearsOf({ channel }: { channel: Channel }) {
  const { selectedWebhookOptions: events, leastSeverity } = channel
  if (events.length === 0) return <Text size="sm">runs that ask for it</Text>
  return (
    <Text size="sm">
      {events.map((event) => eventWords[event]).join(', ')}
      {(events.includes('NEW_ISSUES') || events.includes('NEW_THREATS')) &&
        ` (${severityWord(leastSeverity).toLowerCase()} and worse)`}
    </Text>
  )
}

function ChannelActions({ channel, onOpen }: { channel: Channel; onOpen: (open: Open) => void }) {
  const actions = [
    { what: 'test', label: 'Send a test message to', Icon: IconSend },
    { what: 'change', label: 'Change', Icon: IconPencil },
    { what: 'delete', label: 'Delete', Icon: IconTrash },
  ] as const
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {actions.map(({ what, label, Icon }) => (
        <ActionIcon
          key={what}
          variant="subtle"
          color="gray"
          aria-label={`${label} ${channel.webhookName}`}
          onClick={() => onOpen({ what, channel })}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}

function DeleteChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const remove = useWrite('deleteCustomWebhook', channelReads)
  return (
    <ConfirmDialog
      title={`Delete the channel ${channel.webhookName}?`}
      confirmLabel="Delete the channel"
      busy={remove.isPending}
      failure={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: channel.id }, { onSuccess: onClose })}
    >
      Its pending messages and its address are deleted too.
    </ConfirmDialog>
  )
}
