import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { useWrite } from '../../../data/use-operation.ts'
import { credentialRequest } from './credential-draft.ts'
import {
  credentialOfLogin,
  emptyLogin,
  type GuidedLogin,
  type LoginWay,
  placeOfLogin,
} from './guided-login.ts'
import { GuidedLoginFields } from './guided-login-fields.tsx'
import { TryLogin } from './try-login-dialog.tsx'

const ways: readonly { readonly way: LoginWay; readonly label: string; readonly description: string }[] = [
  { way: 'form', label: 'A form', description: 'A web page asks for user and password and sets a cookie.' },
  {
    way: 'api',
    label: 'An API call',
    description: 'A request with user and password is answered with a token.',
  },
  {
    way: 'token',
    label: 'A token or API key',
    description: 'A value that you have and that does not change.',
  },
  {
    way: 'oauth',
    label: 'OAuth 2 client credentials',
    description: 'A program gets its token with a client ID and a secret.',
  },
  {
    way: 'recorded',
    label: 'A recording',
    description: 'A browser plays the login: single sign-on, several pages, scripts.',
  },
]

const roleReads = ['fetchTestRoles', 'fetchAuthMechanismData'] as const

interface GuidedLoginProps {
  readonly roleName: string
  /** Name to show. */
  readonly name: string
  /** The role of the system has one credential for everything. */
  readonly isAttacker: boolean
  readonly onClose: () => void
}

/** Leads from the way an application signs in to a stored login that was tried. */
export function GuidedLoginDialog({ roleName, name, isAttacker, onClose }: GuidedLoginProps) {
  const [step, setStep] = useState<'way' | 'fields' | 'try'>('way')
  const [login, setLogin] = useState<GuidedLogin>(() => emptyLogin('form'))
  /** Place of the login in the role once it is stored: what is changed afterwards replaces it. */
  const [index, setIndex] = useState<number | null>(null)
  const add = useWrite('addAuthToRole', roleReads)
  const update = useWrite('updateAuthInRole', roleReads)
  const { isPending, error } = index === null ? add : update
  const store = () => {
    const body = { roleName, ...credentialRequest(credentialOfLogin(login)) }
    const onSuccess = ({ selectedRole }: ResponseOf<'addAuthToRole'>) => {
      setIndex(placeOfLogin(login, selectedRole?.authWithCondList ?? []))
      setStep('try')
    }
    if (index === null) add.mutate(body, { onSuccess })
    else update.mutate({ ...body, index }, { onSuccess })
  }
  const heading = useRef<HTMLParagraphElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // The button that was pressed is gone.
    if (!isFirst.current && step) heading.current?.focus()
    isFirst.current = false
  }, [step])
  const number = { way: 1, fields: 2, try: 3 }[step]
  return (
    <Dialog title={`Set up the login of ${name}`} size="xl" onClose={onClose}>
      <Text ref={heading} tabIndex={-1} size="sm" c="dimmed" mb="sm" role="status">
        Step {number} of 3: {stepWords[step]}
      </Text>
      {step === 'way' && (
        <WayStep
          way={login.way}
          isAttacker={isAttacker}
          onWay={(way) => setLogin((now) => ({ ...now, way }))}
          onNext={() => setStep('fields')}
          onCancel={onClose}
        />
      )}
      {step === 'fields' && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            store()
          }}
        >
          <GuidedLoginFields
            login={login}
            onChange={(changes) => setLogin((now) => ({ ...now, ...changes }))}
            withUrl={!isAttacker}
          />
          <Stack mt="md">
            {error && <FailureNotice error={error} />}
            <Text size="sm" c="dimmed">
              {index === null
                ? 'Takes the place of the credential that the role has for the same URLs.'
                : 'Takes the place of the login that you stored before.'}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setStep('way')}>
                Back
              </Button>
              <Button type="submit" loading={isPending}>
                Store and continue
              </Button>
            </Group>
          </Stack>
        </form>
      )}
      {step === 'try' && (
        <Stack>
          <TryLogin roleName={roleName} index={index ?? 0} isRecorded={login.way === 'recorded'} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setStep('fields')}>
              Back
            </Button>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

const stepWords = {
  way: 'how the application signs in',
  fields: 'what is sent',
  try: 'try it; the login is stored',
}

interface WayStepProps {
  readonly way: LoginWay
  readonly isAttacker: boolean
  readonly onWay: (way: LoginWay) => void
  readonly onNext: () => void
  readonly onCancel: () => void
}

function WayStep({ way, isAttacker, onWay, onNext, onCancel }: WayStepProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onNext()
      }}
    >
      <Radio.Group
        label="How does the application sign in?"
        value={way}
        onChange={(next) => onWay(next as LoginWay)}
      >
        <Stack mt="xs" gap="sm">
          {ways.map(({ way: value, label, description }, at) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              {...(at === 0 ? { 'data-autofocus': true } : {})}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed" mt="sm">
        One-time codes (TOTP) can be added to a form and to an API call. “
        {isAttacker ? 'Set the credential' : 'Add a credential'}” has what is rarer: several requests, digest,
        client certificates, tokens of recorded traffic.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">Next</Button>
      </Group>
    </form>
  )
}
