import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
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
    <SignInFrame title={t('signIn.title')} lead={t('signIn.lead')}>
      <form onSubmit={submit}>
        <Stack>
          {expired && (
            <Alert color="yellow" icon={<IconClock size={18} />} title={t('signIn.ended')}>
              {t('signIn.endedNote')}
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
              <TextInput
                label={t('common.email')}
                name="email"
                type="email"
                autoComplete="username"
                required
              />
              <PasswordInput
                label={t('common.password')}
                name="password"
                autoComplete="current-password"
                required
              />
              {needsCode && (
                <TextInput
                  label={t('factor.code')}
                  description={t('signIn.codeNote')}
                  name="code"
                  autoComplete="one-time-code"
                  autoFocus
                  required
                />
              )}
              <Button type="submit" loading={busy} fullWidth>
                {t('signIn.title')}
              </Button>
              {mail && (
                <Anchor component={Link} to="/reset-password" size="sm" underline="always">
                  {t('signIn.forgot')}
                </Anchor>
              )}
            </>
          )}
        </Stack>
      </form>
    </SignInFrame>
  )
}
