import { ActionIcon, Button, Group, Select, Table, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShieldOff, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Role, User } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { CollectionsDialog } from './collections-dialog.tsx'
import { roleChoices } from './role-choices.ts'

interface UserTableProps {
  readonly users: readonly User[]
  readonly own: User | undefined
}

/** Users with their roles; administrators change and remove others. */
export function UserTable({ users, own }: UserTableProps) {
  const [doomed, setDoomed] = useState<User | null>(null)
  const [restricted, setRestricted] = useState<User | null>(null)
  const remove = useWrite('removeUser', ['getTeamData'])
  return (
    <>
      <ScrollFrame label="Users">
        <Table aria-label="Users" miw={560} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>E-mail</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Collections</Table.Th>
              <Table.Th>Last sign-in</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {users.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                own={own}
                onRemove={() => setDoomed(user)}
                onRestrict={() => setRestricted(user)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
      {restricted && <CollectionsDialog user={restricted} onClose={() => setRestricted(null)} />}
      {doomed && (
        <ConfirmDialog
          title={`Remove ${doomed.login}?`}
          confirmLabel="Remove"
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() => remove.mutate({ email: doomed.login }, { onSuccess: () => setDoomed(null) })}
        >
          Sessions end and API keys stop working immediately. What this user created stays.
        </ConfirmDialog>
      )}
    </>
  )
}

/** Takes the second step of sign-in away from a person who lost the app and the recovery codes. */
function ResetSecondFactor({ login }: { login: string }) {
  const reset = useWrite('resetSecondFactor', [])
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Take two-step sign-in from ${login}`}
      loading={reset.isPending}
      onClick={() =>
        reset.mutate(
          { email: login },
          {
            onError: notifyFailure,
            onSuccess: () =>
              notifications.show({
                title: 'Two-step sign-in is off',
                message: `${login} signs in with the password.`,
              }),
          },
        )
      }
    >
      <IconShieldOff size={16} />
    </ActionIcon>
  )
}

function collectionsText({ collectionIds }: User): string {
  return collectionIds === null ? 'All' : `${collectionIds.length} chosen`
}

interface UserRowProps {
  readonly user: User
  readonly own: User | undefined
  readonly onRemove: () => void
  readonly onRestrict: () => void
}

function UserRow({ user, own, onRemove, onRestrict }: UserRowProps) {
  const update = useWrite('updateUserRole', ['getTeamData'])
  const isOwn = own?.id === user.id
  const change = (role: Role) =>
    update.mutate(
      { email: user.login, role },
      {
        onError: notifyFailure,
      },
    )
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          {user.login}
          {isOwn && <Tag tone="blue">you</Tag>}
        </Group>
      </Table.Td>
      <Table.Td>
        {own?.role === 'ADMIN' && !isOwn ? (
          <Select
            size="xs"
            w={150}
            aria-label={`Role of ${user.login}`}
            data={[...roleChoices]}
            value={user.role}
            allowDeselect={false}
            disabled={update.isPending}
            onChange={(role) => role && change(role as Role)}
          />
        ) : (
          roleChoices.find((choice) => choice.value === user.role)?.label
        )}
      </Table.Td>
      <Table.Td>
        {own?.role === 'ADMIN' && user.role !== 'ADMIN' ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Collections of ${user.login}: ${collectionsText(user)}`}
            onClick={onRestrict}
          >
            {collectionsText(user)}
          </Button>
        ) : (
          <Text size="sm">{collectionsText(user)}</Text>
        )}
      </Table.Td>
      <Table.Td>
        <TimeAgo seconds={user.lastLoginTs} />
      </Table.Td>
      <Table.Td ta="right">
        {own?.role === 'ADMIN' && !isOwn && <ResetSecondFactor login={user.login} />}
        {own?.role === 'ADMIN' && !isOwn && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${user.login}`} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
