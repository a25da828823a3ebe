import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Role } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../../components/fresh-secret.tsx'
import { exactTime } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { roleChoices } from './role-choices.ts'

/** Makes an invitation and shows the link to hand over, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useWrite('inviteUsers', ['getTeamData'])
  const made = invite.data?.invitations[0]
  if (made) {
    return (
      <Dialog onClose={onClose} title={`Invitation for ${made.email}`}>
        <Stack>
          <Text size="sm">
            {made.isMailed
              ? 'The link is on its way by mail. You can also send it yourself.'
              : 'Send this link to the invited person.'}{' '}
            It works until {exactTime(made.expiresTs)}, only for this address.
          </Text>
          <FreshSecret secret={made.link} what="link" />
          <Button onClick={onClose}>Done</Button>
        </Stack>
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title="Invite someone">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const email = String(fields.get('email')).trim()
          invite.mutate({ invitations: [{ email, role: String(fields.get('role')) as Role }] })
        }}
      >
        <Stack>
          <TextInput label="E-mail" name="email" type="email" required maxLength={254} data-autofocus />
          <Select
            label="Role"
            name="role"
            description="Guests read, members change data, administrators manage people."
            data={[...roleChoices]}
            defaultValue="MEMBER"
            allowDeselect={false}
          />
          {invite.error && <FailureNotice error={invite.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={invite.isPending}>
              Create invitation
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
