import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { session } from '../../session/use-session.ts'
import { ProviderButton } from './provider-button.tsx'
import { failureOfProvider } from './provider-failure.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

/** Sign-in with e-mail and password, with the provider of the company, or both. */
export default function SignIn({ expired }: { expired: boolean }) {
  const { busy, failure, submit } = useSubmission((fields) =>
    session.signIn(String(fields.get('email')).trim(), String(fields.get('password'))),
  )
  const { password, provider, mail } = session.ways()
  const shown = failure ?? failureOfProvider(window.location.search)
  return (
    <SignInFrame title="Sign in" lead="The security inventory of your APIs.">
      <form onSubmit={submit}>
        <Stack>
          {expired && (
            <Alert color="yellow" icon={<IconClock size={18} />} title="Your session has ended">
              Sign in again to return to the page you were on.
            </Alert>
          )}
          {shown !== null && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {shown}
            </Alert>
          )}
          {provider !== null && <ProviderButton provider={provider} isOnly={!password} />}
          {password && (
            <>
              <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
              <PasswordInput label="Password" name="password" autoComplete="current-password" required />
              <Button type="submit" loading={busy} fullWidth>
                Sign in
              </Button>
              {mail && (
                <Anchor component={Link} to="/reset-password" size="sm" underline="always">
                  Forgot your password?
                </Anchor>
              )}
            </>
          )}
        </Stack>
      </form>
    </SignInFrame>
  )
}
