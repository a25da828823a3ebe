import { ActionIcon, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Invitation } from '../../../../contract/browser.ts'
import { notifyFailure } from '../../../components/feedback/notify-failure.ts'
import { ScrollFrame } from '../../../components/table/scroll-frame.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { roleChoices } from './role-choices.ts'

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
    <ScrollFrame label="Open invitations">
      <Table aria-label="Open invitations" miw={560} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>E-mail</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>Invited by</Table.Th>
            <Table.Th>Ends</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.email}>
              <Table.Td>{invitation.email}</Table.Td>
              <Table.Td>{roleChoices.find((choice) => choice.value === invitation.role)?.label}</Table.Td>
              <Table.Td>{invitation.invitedBy}</Table.Td>
              <Table.Td>
                <TimeAgo seconds={invitation.expiresTs} />
              </Table.Td>
              <Table.Td ta="right">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  loading={remove.isPending && remove.variables.email === invitation.email}
                  aria-label={`Withdraw the invitation of ${invitation.email}`}
                  onClick={() => withdraw(invitation.email)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  )
}
