import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { RefObject } from 'react'
import { useWrite } from '../../data/use-operation.ts'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'
import { NewPasswordInput } from '../new-password-input.tsx'

interface PasswordDialogProps {
  readonly onClose: () => void
  readonly returnTo: RefObject<HTMLElement | null>
}

/** Changes the password of the person who is signed in; other sessions end, and API keys too if wanted. */
export function PasswordDialog({ onClose, returnTo }: PasswordDialogProps) {
  const change = useWrite('updatePassword', ['fetchApiTokens'])
  return (
    <Dialog onClose={onClose} title={t('account.password')} returnTo={returnTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          change.mutate(
            {
              currentPassword: String(fields.get('current')),
              newPassword: String(fields.get('next')),
              revokeApiTokens: fields.get('revoke') !== null,
            },
            {
              onSuccess({ apiTokensRevoked }) {
                notifications.show({
                  title: t('password.changed'),
                  message:
                    apiTokensRevoked === 0
                      ? t('password.sessionsEnded')
                      : t('password.keysRevoked', { count: apiTokensRevoked }),
                })
                onClose()
              },
            },
          )
        }}
      >
        <Stack>
          <PasswordInput
            label={t('password.current')}
            name="current"
            autoComplete="current-password"
            data-autofocus
            required
          />
          <NewPasswordInput label={t('password.new')} name="next" />
          <Checkbox label={t('password.revoke')} description={t('password.revokeNote')} name="revoke" />
          {change.error && <FailureNotice error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t('account.password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
