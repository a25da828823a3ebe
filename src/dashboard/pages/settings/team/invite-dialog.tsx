import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Role } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../../components/fresh-secret.tsx'
import { exactTime } from '../../../components/time-ago.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { t } from '../../../i18n/translate.ts'
import { roleChoices } from './role-choices.ts'

/** Makes an invitation and shows the link to hand over, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useWrite('inviteUsers', ['getTeamData'])
  const made = invite.data?.invitations[0]
  if (made) {
    return (
      <Dialog onClose={onClose} title={t('team.invitationFor', { email: made.email })}>
        <Stack>
          <Text size="sm">
            {t(made.isMailed ? 'team.mailed' : 'team.sendLink', { time: exactTime(made.expiresTs) })}
          </Text>
          <FreshSecret secret={made.link} what={t('team.theLink')} />
          <Button onClick={onClose}>{t('common.done')}</Button>
        </Stack>
      </Dialog>
    )
  }
  return (
    <Dialog onClose={onClose} title={t('team.inviteSomeone')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const email = String(fields.get('email')).trim()
          invite.mutate({ invitations: [{ email, role: String(fields.get('role')) as Role }] })
        }}
      >
        <Stack>
          <TextInput
            label={t('common.email')}
            name="email"
            type="email"
            required
            maxLength={254}
            data-autofocus
          />
          <Select
            label={t('common.role')}
            name="role"
            description={t('team.roleNote')}
            data={roleChoices()}
            defaultValue="MEMBER"
            allowDeselect={false}
          />
          {invite.error && <FailureNotice error={invite.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t('team.createInvitation')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
