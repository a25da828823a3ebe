import { ActionIcon, Button, Group, Select, Table, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconShieldOff, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Role, User } from '../../../../contract/browser.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { Tag } from '../../../components/tag.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { CollectionsDialog } from './collections-dialog.tsx'
import { roleChoices, roleWord } from './role-choices.ts'

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
      <CardFrame label={t('team.users')}>
        <Table aria-label={t('team.users')} miw={560} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('common.email')}</Table.Th>
              <Table.Th>{t('common.role')}</Table.Th>
              <Table.Th>{t('page.collections')}</Table.Th>
              <Table.Th>{t('team.lastSignIn')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
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
      </CardFrame>
      {restricted && <CollectionsDialog user={restricted} onClose={() => setRestricted(null)} />}
      {doomed && (
        <ConfirmDialog
          title={t('team.removeQuestion', { login: doomed.login })}
          confirmLabel={t('common.remove')}
          busy={remove.isPending}
          failure={remove.error}
          onClose={() => setDoomed(null)}
          onConfirm={() => remove.mutate({ email: doomed.login }, { onSuccess: () => setDoomed(null) })}
        >
          {t('team.removeNote')}
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
      aria-label={t('team.takeFactor', { login })}
      loading={reset.isPending}
      onClick={() =>
        reset.mutate(
          { email: login },
          {
            onError: notifyFailure,
            onSuccess: () =>
              notifications.show({
                title: t('team.factorOff'),
                message: t('team.factorOffNote', { login }),
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
  return collectionIds === null ? t('team.all') : t('team.chosen', { count: collectionIds.length })
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
      <Table.Td data-label={t('common.email')}>
        <Group gap={6}>
          {user.login}
          {isOwn && <Tag tone="blue">{t('team.you')}</Tag>}
        </Group>
      </Table.Td>
      <Table.Td data-label={t('common.role')}>
        {own?.role === 'ADMIN' && !isOwn ? (
          <Select
            size="xs"
            w={150}
            aria-label={t('team.roleOf', { login: user.login })}
            data={roleChoices()}
            value={user.role}
            allowDeselect={false}
            disabled={update.isPending}
            onChange={(role) => role && change(role as Role)}
          />
        ) : (
          roleWord(user.role)
        )}
      </Table.Td>
      <Table.Td data-label={t('page.collections')}>
        {own?.role === 'ADMIN' && user.role !== 'ADMIN' ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('team.collectionsAre', { login: user.login, collections: collectionsText(user) })}
            onClick={onRestrict}
          >
            {collectionsText(user)}
          </Button>
        ) : (
          <Text size="sm">{collectionsText(user)}</Text>
        )}
      </Table.Td>
      <Table.Td data-label={t('team.lastSignIn')}>
        <TimeAgo seconds={user.lastLoginTs} />
      </Table.Td>
      <Table.Td ta="right">
        {own?.role === 'ADMIN' && !isOwn && <ResetSecondFactor login={user.login} />}
        {own?.role === 'ADMIN' && !isOwn && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('team.removeOne', { login: user.login })}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
