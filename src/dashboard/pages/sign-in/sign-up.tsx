import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { NewPasswordInput } from '../../components/new-password-input.tsx'
import { session } from '../../session/use-session.ts'
import { ProviderButton } from './provider-button.tsx'
import { failureOfProvider } from './provider-failure.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

interface SignUpProps {
  readonly isFirst: boolean
  /** Whether the server asks the first user for the set-up code. */
  readonly needsSetupCode?: boolean
}

/** Sign-up: of the first user, who becomes the administrator, or of one with an invitation. */
export default function SignUp({ isFirst, needsSetupCode = false }: SignUpProps) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { busy, failure, submit } = useSubmission(async (fields) => {
    const email = String(fields.get('email')).trim()
    const code = String(fields.get('code') ?? '').trim()
    const proof = isFirst ? { setupCode: code } : { invitationCode: code }
    await session.signUp(email, String(fields.get('password')), proof)
    await navigate('/', { replace: true })
  })
  const { password, provider } = session.ways()
  const shown = failure ?? failureOfProvider(window.location.search)
  return (
    <SignInFrame
      title={isFirst ? 'Create the first account' : 'Accept the invitation'}
      lead={
        isFirst
          ? 'It becomes the administrator of this installation and can invite others. Nothing leaves this machine.'
          : 'The invitation is for one e-mail address; use that address.'
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {shown !== null && (
            <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
              {shown}
            </Alert>
          )}
          {provider !== null && <ProviderButton provider={provider} isOnly={!password} />}
          {password && (
            <>
              <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
              <NewPasswordInput label="Password" name="password" />
              {needsSetupCode && (
                <TextInput
                  label="Set-up code"
                  description="The server printed it when it started, or the name of the file that holds it."
                  placeholder="ABCD-EFGH-JKMN-PQRS"
                  name="code"
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
              )}
              {!isFirst && (
                <TextInput
                  label="Invitation code"
                  name="code"
                  defaultValue={search.get('invitationCode') ?? ''}
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
              )}
              <Button type="submit" loading={busy} fullWidth>
                Create the account
              </Button>
            </>
          )}
          {!isFirst && (
            <Text size="sm">
              You have an account?{' '}
              <Anchor component={Link} to="/" size="sm" underline="always">
                Sign in
              </Anchor>
            </Text>
          )}
        </Stack>
      </form>
    </SignInFrame>
  )
}
