import { ActionIcon, Group, Select, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Role, User } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { roleChoices } from './role-choices.ts'

interface UserTableProps {
  readonly users: readonly User[]
  readonly own: User | undefined
}

/** Users with their roles; administrators change and remove others. */
export function UserTable({ users, own }: UserTableProps) {
  const [doomed, setDoomed] = useState<User | null>(null)
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
              <UserRow key={user.id} user={user} own={own} onRemove={() => setDoomed(user)} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
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

function UserRow({ user, own, onRemove }: { user: User; own: User | undefined; onRemove: () => void }) {
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
        <Text size="sm">{user.collectionIds === null ? 'all' : `${user.collectionIds.length} chosen`}</Text>
      </Table.Td>
      <Table.Td>
        <TimeAgo seconds={user.lastLoginTs} />
      </Table.Td>
      <Table.Td ta="right">
        {own?.role === 'ADMIN' && !isOwn && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${user.login}`} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
