import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { NewPasswordInput } from '../../components/new-password-input.tsx'
import { t } from '../../i18n/translate.ts'
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
      title={t(isFirst ? 'signUp.first' : 'signUp.invited')}
      lead={t(isFirst ? 'signUp.firstLead' : 'signUp.invitedLead')}
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
              <TextInput
                label={t('common.email')}
                name="email"
                type="email"
                autoComplete="username"
                required
              />
              <NewPasswordInput label={t('common.password')} name="password" />
              {needsSetupCode && (
                <TextInput
                  label={t('signUp.setupCode')}
                  description={t('signUp.setupNote')}
                  placeholder="ABCD-EFGH-JKMN-PQRS"
                  name="code"
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
              )}
              {!isFirst && (
                <TextInput
                  label={t('signUp.invitationCode')}
                  name="code"
                  defaultValue={search.get('invitationCode') ?? ''}
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
              )}
              <Button type="submit" loading={busy} fullWidth>
                {t('signUp.create')}
              </Button>
            </>
          )}
          {!isFirst && (
            <Text size="sm">
              {t('signUp.haveAccount')}{' '}
              <Anchor component={Link} to="/" size="sm" underline="always">
                {t('signIn.title')}
              </Anchor>
            </Text>
          )}
        </Stack>
      </form>
    </SignInFrame>
  )
}
