import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { type CredentialDraft, type CredentialKind, credentialKinds, emptyDraft } from './credential-draft.ts'
import {
  CertificateField,
  DigestFields,
  LoginFields,
  ParameterFields,
  RecordingFields,
  SampleFields,
} from './credential-fields.tsx'

const kindLabels: Record<CredentialKind, string> = {
  HARDCODED: 'A fixed value',
  LOGIN_REQUEST: 'A login by requests',
  RECORDED: 'A recorded login in a browser',
  DIGEST_AUTH: 'User and password (digest)',
  SAMPLE_DATA: 'The token of recorded traffic',
  TLS_AUTH: 'A client certificate',
}

interface CredentialFormProps {
  /** What is changed; a new one unless given. */
  readonly start?: CredentialDraft
  /** Offers a pattern for the URLs that the credential is for. */
  readonly withUrl: boolean
  readonly busy: boolean
  readonly failure: unknown
  readonly onSave: (draft: CredentialDraft) => void
  readonly onCancel: () => void
}

/** How somebody authenticates, and where requests carry it. */
export function CredentialForm(props: CredentialFormProps) {
  const { start, withUrl, busy, failure, onSave, onCancel } = props
  const [draft, setDraft] = useState(() => start ?? emptyDraft())
  const change = (changes: Partial<CredentialDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const { kind } = draft
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
          data={credentialKinds.map((value) => ({ value, label: kindLabels[value] }))}
          value={kind}
          allowDeselect={false}
          onChange={(next) => {
            const { urlRegex, headerPairs } = draft
            setDraft({ ...emptyDraft((next ?? 'HARDCODED') as CredentialKind), urlRegex, headerPairs })
          }}
        />
        {kind === 'LOGIN_REQUEST' && <LoginFields draft={draft} onChange={change} />}
        {kind === 'RECORDED' && <RecordingFields draft={draft} onChange={change} />}
        {kind === 'SAMPLE_DATA' && <SampleFields draft={draft} onChange={change} />}
        {kind === 'DIGEST_AUTH' && <DigestFields draft={draft} onChange={change} />}
        {kind === 'TLS_AUTH' && <CertificateField draft={draft} onChange={change} />}
        {kind !== 'DIGEST_AUTH' && kind !== 'TLS_AUTH' && <ParameterFields draft={draft} onChange={change} />}
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
