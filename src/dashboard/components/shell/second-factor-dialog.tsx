import { Alert, Button, Code, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { renderSVG } from 'uqr'
import { useRead, useWrite } from '../../data/use-operation.ts'
import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../copy-button.tsx'
import { Dialog } from '../dialog.tsx'
import { FailureNotice } from '../feedback/failure-notice.tsx'

interface SecondFactorDialogProps {
  readonly onClose: () => void
  readonly returnTo?: RefObject<HTMLElement | null>
}

/** Sets up one-time codes for the person's own sign-in, or takes them away. */
export default function SecondFactorDialog({ onClose, returnTo }: SecondFactorDialogProps) {
  const { data, error, refetch } = useRead('fetchSecondFactor', {})
  // Kept here: the codes are shown only once, also while the state is read anew.
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null)
    return (
      <Dialog onClose={onClose} title={t('account.secondFactor')} returnTo={returnTo}>
        <RecoveryCodes codes={codes} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog onClose={onClose} title={t('account.secondFactor')} returnTo={returnTo}>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton height={120} />}
      {data && !data.isAvailable && <Text size="sm">{t('factor.provider')}</Text>}
      {data?.isAvailable && data.isOn && <TurnOff onClose={onClose} />}
      {data?.isAvailable && !data.isOn && (
        <SetUp
          onClose={onClose}
          onCodes={(made) => {
            setCodes(made)
            void refetch()
          }}
        />
      )}
    </Dialog>
  )
}

function CodeInput({
  label,
  onChange,
  value,
}: {
  label: string
  value: string
  onChange: (code: string) => void
}) {
  return (
    <TextInput
      label={label}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={20}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  )
}

/** The code is an image from a file of this page's own making: no other host sees the secret. */
function QrCode({ uri }: { uri: string }) {
  return (
    <img
      src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`}
      alt={t('factor.qr')}
      width={200}
      height={200}
      style={{ alignSelf: 'center', background: '#fff' }}
    />
  )
}

interface SetUpProps {
  readonly onClose: () => void
  /** Gets the recovery codes once the second factor is on. */
  readonly onCodes: (codes: readonly string[]) => void
}

function SetUp({ onClose, onCodes }: SetUpProps) {
  const begin = useWrite('beginSecondFactor', [])
  const enable = useWrite('enableSecondFactor', [])
  const [code, setCode] = useState('')
  if (begin.data === undefined)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          begin.mutate({ currentPassword: String(new FormData(event.currentTarget).get('current')) })
        }}
      >
        <Stack>
          <Text size="sm">{t('factor.lead')}</Text>
          <PasswordInput
            label={t('password.current')}
            name="current"
            autoComplete="current-password"
            data-autofocus
            required
          />
          {begin.error && <FailureNotice error={begin.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={begin.isPending}>
              {t('factor.setUp')}
            </Button>
          </Group>
        </Stack>
      </form>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // A promise, since a refreshed state takes this form away; a refusal is shown from the state of the write.
        enable.mutateAsync({ code }).then(
          ({ recoveryCodes }) => onCodes(recoveryCodes),
          () => undefined,
        )
      }}
    >
      <Stack>
        <Text size="sm">{t('factor.scan')}</Text>
        <QrCode uri={begin.data.uri} />
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{begin.data.secret}</Code>
          <CopyButton text={begin.data.secret} what={t('factor.secret')} />
        </Group>
        <CodeInput label={t('factor.appCode')} value={code} onChange={setCode} />
        {enable.error && <FailureNotice error={enable.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={enable.isPending} disabled={code.trim() === ''}>
            {t('factor.turnOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Stack>
      <Alert color="green" title={t('factor.isOn')} role="status">
        {t('factor.keepCodes')}
      </Alert>
      <Code block aria-label={t('factor.codes')}>
        {text}
      </Code>
      <Group justify="flex-end">
        <CopyButton text={text} what={t('factor.theCodes')} />
        <Button onClick={onClose}>{t('factor.kept')}</Button>
      </Group>
    </Stack>
  )
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const disable = useWrite('disableSecondFactor', ['fetchSecondFactor'])
  const [code, setCode] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        disable.mutate({ code }, { onSuccess: onClose })
      }}
    >
      <Stack>
        <Text size="sm">{t('factor.onNote')}</Text>
        <CodeInput label={t('factor.code')} value={code} onChange={setCode} />
        {disable.error && <FailureNotice error={disable.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color="red.8" loading={disable.isPending} disabled={code.trim() === ''}>
            {t('factor.turnOff')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
