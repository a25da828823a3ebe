import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { RefObject } from 'react'
import { useWrite } from '../../data/use-operation.ts'
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
    <Dialog onClose={onClose} title="Change password" returnTo={returnTo}>
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
                const keys = apiTokensRevoked === 0 ? '' : ` API keys revoked: ${apiTokensRevoked}.`
                notifications.show({
                  title: 'Password changed',
                  message: `Your other sessions have ended.${keys}`,
                })
                onClose()
              },
            },
          )
        }}
      >
        <Stack>
          <PasswordInput
            label="Current password"
            name="current"
            autoComplete="current-password"
            data-autofocus
            required
          />
          <NewPasswordInput label="New password" name="next" />
          <Checkbox
            label="Revoke my API keys"
            description="Choose this if somebody else may know your password: programs that use your keys are refused at once."
            name="revoke"
          />
          {change.error && <FailureNotice error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
