import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { session } from '../../session/use-session.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

/** Sign-up of the first user, who becomes the administrator. */
export default function FirstUser() {
  const { busy, failure, submit } = useSubmission((fields) =>
    session.signUp(String(fields.get('email')).trim(), String(fields.get('password'))),
  )
  return (
    <SignInFrame
      title="Create the first account"
      lead="It becomes the administrator of this installation and can invite others. Nothing leaves this machine."
    >
      <form onSubmit={submit}>
        <Stack>
          {failure !== null && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {failure}
            </Alert>
          )}
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
          <PasswordInput
            label="Password"
            description="8 to 39 characters, with letters and digits."
            name="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={39}
            required
          />
          <Button type="submit" loading={busy} fullWidth>
            Create the account
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
