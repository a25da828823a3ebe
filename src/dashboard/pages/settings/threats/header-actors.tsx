import { ActionIcon, Button, Code, Group, Paper, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { actorHeaders, type ResponseOf } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { HeaderDialog } from './header-dialog.tsx'

/** A header that names the actor, as the server lists it. */
export type HeaderActor =
  ResponseOf<'fetchThreatConfiguration'>['threatConfiguration']['actor']['actorId'][number]

type Open = { readonly what: 'new' } | { readonly what: 'change' | 'remove'; readonly at: number }

/** Replaces the headers that name actors; the rest of what is set stays. */
export function useWriteHeaders() {
  const { mutate, ...write } = useWrite('modifyThreatConfiguration', ['fetchThreatConfiguration'])
  return {
    ...write,
    save: (actorId: HeaderActor[], then: Parameters<typeof mutate>[1] = {}) =>
      mutate(
        { threatConfiguration: { actor: { actorId }, archivalEnabled: null, archivalDays: null } },
        then,
      ),
  }
}

interface HeaderActorsProps {
  readonly headers: readonly HeaderActor[]
  readonly isAdmin: boolean
}

/** Headers that name the actor of a message, in the order in which they are looked at. */
export function HeaderActors({ headers, isAdmin }: HeaderActorsProps) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const isFull = headers.length >= actorHeaders
  return (
    <Paper withBorder component="section" aria-label="Who the actor is">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2}>Who the actor is</Title>
        {isAdmin && (
          <Button
            leftSection={<IconPlus size={16} />}
            disabled={isFull}
            onClick={() => setOpen({ what: 'new' })}
          >
            Name a header
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" px="md" pb="md">
        The address that a message came from, behind trusted proxies. On hosts where a header names the actor
        its value counts instead: the first line that fits the host decides, and where that header is missing
        the address does. Values are stored as keyed hashes, long ones with a hint of four characters.
        {!isAdmin && ' Administrators change this.'}
      </Text>
      {isAdmin && isFull && (
        <Text size="sm" px="md" pb="md">
          The maximum number of headers is reached. Remove one, or use a pattern that matches several hosts.
        </Text>
      )}
      {headers.length === 0 ? (
        <Text size="sm" px="md" pb="md">
          No header is named: the address is the actor on every host.
        </Text>
      ) : (
        <HeaderTable headers={headers} isAdmin={isAdmin} onOpen={setOpen} />
      )}
      {open?.what === 'new' && <HeaderDialog headers={headers} onClose={close} />}
      {open?.what === 'change' && <HeaderDialog headers={headers} at={open.at} onClose={close} />}
      {open?.what === 'remove' && <RemoveHeader headers={headers} at={open.at} onClose={close} />}
    </Paper>
  )
}

interface HeaderTableProps extends HeaderActorsProps {
  readonly onOpen: (open: Open) => void
}

function HeaderTable({ headers, isAdmin, onOpen }: HeaderTableProps) {
  return (
    <CardFrame label="Headers that name the actor">
      <Table aria-label="Headers that name the actor" miw={480} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Place</Table.Th>
            <Table.Th>Header</Table.Th>
            <Table.Th>On hosts that match</Table.Th>
            {isAdmin && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {headers.map(({ key, pattern }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may stand twice; its place is what names a line
            <Table.Tr key={`${at} ${key} ${pattern}`}>
              <Table.Td data-label="Place">{at + 1}</Table.Td>
              <Table.Td data-label="Header" style={{ overflowWrap: 'anywhere' }}>
                <Code>{key}</Code>
              </Table.Td>
              <Table.Td data-label="On hosts that match" style={{ overflowWrap: 'anywhere' }}>
                <Code>{pattern}</Code>
              </Table.Td>
              {isAdmin && (
                <Table.Td>
                  <HeaderActions headers={headers} at={at} onOpen={onOpen} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}

interface HeaderActionsProps {
  readonly headers: readonly HeaderActor[]
  readonly at: number
  readonly onOpen: (open: Open) => void
}

function HeaderActions({ headers, at, onOpen }: HeaderActionsProps) {
  const write = useWriteHeaders()
  const name = `${headers[at]?.key}, line ${at + 1}`
  const move = (to: number) => {
    const next = [...headers]
    next.splice(to, 0, ...next.splice(at, 1))
    write.save(next, { onError: notifyFailure })
  }
  const actions = [
    { label: 'Move up', Icon: IconArrowUp, isOff: at === 0, act: () => move(at - 1) },
    { label: 'Move down', Icon: IconArrowDown, isOff: at === headers.length - 1, act: () => move(at + 1) },
    { label: 'Change', Icon: IconPencil, isOff: false, act: () => onOpen({ what: 'change', at }) },
    { label: 'Remove', Icon: IconTrash, isOff: false, act: () => onOpen({ what: 'remove', at }) },
  ]
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {actions.map(({ label, Icon, isOff, act }) => (
        <ActionIcon
          key={label}
          variant="subtle"
          color="gray"
          aria-label={`${label} ${name}`}
          disabled={isOff || write.isPending}
          onClick={act}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
    </Group>
  )
}

interface RemoveHeaderProps {
  readonly headers: readonly HeaderActor[]
  readonly at: number
  readonly onClose: () => void
}

function RemoveHeader({ headers, at, onClose }: RemoveHeaderProps) {
  const write = useWriteHeaders()
  return (
    <ConfirmDialog
      title="Remove this header?"
      confirmLabel="Remove the header"
      busy={write.isPending}
      failure={write.error}
      onClose={onClose}
      onConfirm={() =>
        write.save(
          headers.filter((_one, index) => index !== at),
          { onSuccess: onClose },
        )
      }
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Code>{headers[at]?.key}</Code> no longer identifies actors on <Code>{headers[at]?.pattern}</Code>.
        Actors that it identified keep their events and status; their next messages count for their IP
        address.
      </Text>
    </ConfirmDialog>
  )
}
