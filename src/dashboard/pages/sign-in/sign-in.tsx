import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CodeRequired } from '../../session/session-store.ts'
import { session } from '../../session/use-session.ts'
import { ProviderButton } from './provider-button.tsx'
import { failureOfProvider } from './provider-failure.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

/** Sign-in with e-mail and password, with the provider of the company, or both. */
export default function SignIn({ expired }: { expired: boolean }) {
  const [needsCode, setNeedsCode] = useState(false)
  const { busy, failure, submit } = useSubmission(async (fields) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    try {
      await session.signIn(text('email'), String(fields.get('password')), text('code'))
    } catch (error) {
      if (!(error instanceof CodeRequired)) throw error
      setNeedsCode(true)
    }
  })
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
              {needsCode && (
                <TextInput
                  label="Code"
                  description="What your authenticator app shows, or a recovery code."
                  name="code"
                  autoComplete="one-time-code"
                  autoFocus
                  required
                />
              )}
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
