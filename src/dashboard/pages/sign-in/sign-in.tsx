import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { session } from '../../session/use-session.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

/** Sign-in with e-mail and password. */
export default function SignIn({ expired }: { expired: boolean }) {
  const { busy, failure, submit } = useSubmission((fields) =>
    session.signIn(String(fields.get('email')).trim(), String(fields.get('password'))),
  )
  return (
    <SignInFrame title="Sign in" lead="The security inventory of your APIs.">
      <form onSubmit={submit}>
        <Stack>
          {expired && (
            <Alert color="yellow" icon={<IconClock size={18} />} title="Your session has ended">
              Sign in again to return to the page you were on.
            </Alert>
          )}
          {failure !== null && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {failure}
            </Alert>
          )}
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          <Button type="submit" loading={busy} fullWidth>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  )
}
