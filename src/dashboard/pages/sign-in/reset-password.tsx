import { Alert, Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { NewPasswordInput } from '../../components/new-password-input.tsx'
import { t } from '../../i18n/translate.ts'
import { session } from '../../session/use-session.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { useSubmission } from './use-submission.ts'

/** A new password by mail: with the code of the mail the form that sets it, without it the one that asks for the mail. */
export default function ResetPassword() {
  const code = useSearchParams()[0].get('code')
  return code === null ? <AskForMail /> : <ChoosePassword code={code} />
}

function AskForMail() {
  const [isAsked, setAsked] = useState(false)
  const { busy, failure, submit } = useSubmission(async (fields) => {
    await session.askForReset(String(fields.get('email')).trim())
    setAsked(true)
  })
  return (
    <SignInFrame title={t('reset.title')} lead={t('reset.lead')}>
      {isAsked ? (
        <Alert color="blue" icon={<IconMail size={18} />} role="status" title={t('reset.check')}>
          {t('reset.sent')}
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Failure text={failure} />
            <TextInput label={t('common.email')} name="email" type="email" autoComplete="username" required />
            <Button type="submit" loading={busy} fullWidth>
              {t('reset.send')}
            </Button>
          </Stack>
        </form>
      )}
      <BackToSignIn />
    </SignInFrame>
  )
}

function ChoosePassword({ code }: { readonly code: string }) {
  const navigate = useNavigate()
  const [needsCode, setNeedsCode] = useState(false)
  const { busy, failure, submit } = useSubmission(async (fields) => {
    const isSignedIn = await session.resetPassword({
      code,
      password: String(fields.get('password')),
      revokeApiTokens: fields.get('revoke') !== null,
    })
    if (isSignedIn) await navigate('/', { replace: true })
    else setNeedsCode(true)
  })
  if (needsCode)
    return (
      <SignInFrame title={t('reset.choose')} lead={t('reset.signedOut')}>
        <Alert color="green" icon={<IconCheck size={18} />} role="status" title={t('reset.isSet')}>
          {t('reset.withCode')}
        </Alert>
        <BackToSignIn />
      </SignInFrame>
    )
  return (
    <SignInFrame title={t('reset.choose')} lead={t('reset.chooseLead')}>
      <form onSubmit={submit}>
        <Stack>
          <Failure text={failure} />
          <NewPasswordInput label={t('password.new')} name="password" />
          <Checkbox label={t('password.revoke')} description={t('password.revokeNote')} name="revoke" />
          <Button type="submit" loading={busy} fullWidth>
            {t('reset.set')}
          </Button>
        </Stack>
      </form>
      <BackToSignIn />
    </SignInFrame>
  )
}

function Failure({ text }: { readonly text: string | null }) {
  if (text === null) return null
  return (
    <Alert color="red" icon={<IconAlertCircle size={18} />} role="alert">
      {text}
    </Alert>
  )
}

function BackToSignIn() {
  return (
    <Text size="sm">
      <Anchor component={Link} to="/" size="sm" underline="always">
        {t('reset.back')}
      </Anchor>
    </Text>
  )
}
