import { ActionIcon, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Invitation } from '../../../../contract/browser.ts'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { CardFrame } from '../../../components/table/card-frame.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { roleWord } from './role-choices.ts'

/** Invitations that nobody used yet. Withdrawing one needs no question: it can be made again. */
export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const remove = useWrite('removeUser', ['getTeamData'])
  const withdraw = (email: string) =>
    remove.mutate(
      { email },
      {
        onError: notifyFailure,
      },
    )
  return (
    <CardFrame label={t('team.openInvitations')}>
      <Table aria-label={t('team.openInvitations')} miw={560} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common.email')}</Table.Th>
            <Table.Th>{t('common.role')}</Table.Th>
            <Table.Th>{t('team.invitedBy')}</Table.Th>
            <Table.Th>{t('team.ends')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('common.actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.email}>
              <Table.Td data-label={t('common.email')}>{invitation.email}</Table.Td>
              <Table.Td data-label={t('common.role')}>{roleWord(invitation.role)}</Table.Td>
              <Table.Td data-label={t('team.invitedBy')}>{invitation.invitedBy}</Table.Td>
              <Table.Td data-label={t('team.ends')}>
                <TimeAgo seconds={invitation.expiresTs} />
              </Table.Td>
              <Table.Td ta="right">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  loading={remove.isPending && remove.variables.email === invitation.email}
                  aria-label={t('team.withdraw', { email: invitation.email })}
                  onClick={() => withdraw(invitation.email)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </CardFrame>
  )
}
