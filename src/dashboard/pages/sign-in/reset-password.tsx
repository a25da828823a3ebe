import { Alert, Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { NewPasswordInput } from '../../components/new-password-input.tsx'
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
    <SignInFrame title="Reset your password" lead="You get a link by mail with which you choose a new one.">
      {isAsked ? (
        <Alert color="blue" icon={<IconMail size={18} />} role="status" title="Check your mail">
          If there is an account with this address, the link is on its way. It works for one hour.
        </Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Failure text={failure} />
            <TextInput label="E-mail" name="email" type="email" autoComplete="username" required />
            <Button type="submit" loading={busy} fullWidth>
              Send the link
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
      <SignInFrame title="Choose a new password" lead="You are signed out in all browsers.">
        <Alert color="green" icon={<IconCheck size={18} />} role="status" title="The password is set">
          Sign in with it and a code of your authenticator app.
        </Alert>
        <BackToSignIn />
      </SignInFrame>
    )
  return (
    <SignInFrame title="Choose a new password" lead="Afterwards you are signed out in all other browsers.">
      <form onSubmit={submit}>
        <Stack>
          <Failure text={failure} />
          <NewPasswordInput label="New password" name="password" />
          <Checkbox
            label="Revoke my API keys"
            description="Choose this if somebody else may know your password: programs that use your keys are refused at once."
            name="revoke"
          />
          <Button type="submit" loading={busy} fullWidth>
            Set the password
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
        Back to sign-in
      </Anchor>
    </Text>
  )
}
