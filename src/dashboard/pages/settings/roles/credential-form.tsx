import { Button, Group, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'

/** What authenticates requests of a role, as it was typed. */
export interface CredentialDraft {
  readonly kind: 'HARDCODED' | 'LOGIN_REQUEST'
  readonly where: string
  readonly key: string
  readonly value: string
  readonly loginUrl: string
  readonly loginMethod: string
  readonly loginHeaders: string
  readonly loginBody: string
  /** Pattern that the URL must match; empty for all. */
  readonly urlRegex: string
}

const empty: CredentialDraft = {
  kind: 'HARDCODED',
  where: 'HEADER',
  key: 'Authorization',
  value: '',
  loginUrl: '',
  loginMethod: 'POST',
  loginHeaders: 'content-type: application/json',
  loginBody: '',
  urlRegex: '',
}

/** The parts of a draft as the operations take them. */
export function credentialOf(draft: CredentialDraft) {
  const isLogin = draft.kind === 'LOGIN_REQUEST'
  return {
    type: draft.kind,
    parameters: [{ where: draft.where, key: draft.key.trim(), value: draft.value.trim(), showHeader: true }],
    steps: isLogin
      ? [
          {
            type: 'LOGIN_FORM',
            url: draft.loginUrl.trim(),
            method: draft.loginMethod,
            queryParams: '',
            headers: draft.loginHeaders,
            body: draft.loginBody,
          },
        ]
      : [],
  }
}

interface CredentialFormProps {
  /** Offers a pattern for the URLs that the credential is for. */
  readonly withUrl: boolean
  readonly busy: boolean
  readonly failure: unknown
  readonly onSave: (draft: CredentialDraft) => void
  readonly onCancel: () => void
}

/** A fixed value, or a login that yields one, and where requests carry it. */
export function CredentialForm({ withUrl, busy, failure, onSave, onCancel }: CredentialFormProps) {
  const [draft, setDraft] = useState(empty)
  const change = (changes: Partial<CredentialDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const isLogin = draft.kind === 'LOGIN_REQUEST'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave(draft)
      }}
    >
      <Stack>
        <Select
          label="Kind"
          data={[
            { value: 'HARDCODED', label: 'A fixed value' },
            { value: 'LOGIN_REQUEST', label: 'A login request' },
          ]}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => {
            const login = kind === 'LOGIN_REQUEST'
            change({
              kind: login ? 'LOGIN_REQUEST' : 'HARDCODED',
              value: login ? 'Bearer ${x1.response.body.token}' : '',
            })
          }}
        />
        {isLogin && <LoginFields draft={draft} onChange={change} />}
        <Group grow align="flex-start">
          <Select
            label="Carried in"
            data={[
              { value: 'HEADER', label: 'A header' },
              { value: 'BODY', label: 'A field of the body' },
            ]}
            value={draft.where}
            allowDeselect={false}
            onChange={(where) => change({ where: where ?? 'HEADER' })}
          />
          <TextInput
            label="Name"
            required
            maxLength={200}
            value={draft.key}
            onChange={(event) => change({ key: event.currentTarget.value })}
          />
        </Group>
        <ValueField draft={draft} onChange={change} />
        {withUrl && (
          <TextInput
            label="Only where the URL matches"
            description="A regular expression. Empty: everywhere that no other credential of the role fits."
            maxLength={1000}
            value={draft.urlRegex}
            onChange={(event) => change({ urlRegex: event.currentTarget.value })}
          />
        )}
        {failure !== null && <FailureNotice error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Store it
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface LoginFieldsProps {
  readonly draft: CredentialDraft
  readonly onChange: (changes: Partial<CredentialDraft>) => void
}

function ValueField({ draft, onChange }: LoginFieldsProps) {
  return draft.kind === 'LOGIN_REQUEST' ? (
    <TextInput
      label="Value"
      description="${x1.response.body.token} stands for the field token of the answer; ${x1.response.headers.name} and ${cookies} work too."
      required
      value={draft.value}
      onChange={(event) => onChange({ value: event.currentTarget.value })}
    />
  ) : (
    <PasswordInput
      label="Value"
      description="Stored sealed. For a token: Bearer, a space, the token."
      required
      autoComplete="off"
      value={draft.value}
      onChange={(event) => onChange({ value: event.currentTarget.value })}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
    />
  )
}

function LoginFields({ draft, onChange }: LoginFieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        The request is sent before a run, and again when its session dies.
      </Text>
      <Group align="flex-end" wrap="nowrap">
        <Select
          label="Method"
          w={110}
          data={['POST', 'GET', 'PUT']}
          value={draft.loginMethod}
          allowDeselect={false}
          onChange={(method) => onChange({ loginMethod: method ?? 'POST' })}
        />
        <TextInput
          label="URL of the login"
          flex={1}
          required
          maxLength={2000}
          placeholder="https://shop.example.com/login"
          value={draft.loginUrl}
          onChange={(event) => onChange({ loginUrl: event.currentTarget.value })}
        />
      </Group>
      <Textarea
        label="Headers"
        description="One on a line: name, colon, value."
        autosize
        minRows={1}
        maxRows={6}
        value={draft.loginHeaders}
        onChange={(event) => onChange({ loginHeaders: event.currentTarget.value })}
      />
      <Textarea
        label="Body"
        autosize
        minRows={2}
        maxRows={8}
        placeholder='{"user":"ada","password":"…"}'
        value={draft.loginBody}
        onChange={(event) => onChange({ loginBody: event.currentTarget.value })}
      />
    </>
  )
}
