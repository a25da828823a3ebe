import { PasswordInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useRead } from '../../data/use-operation.ts'
import type { CrawlDraft, CrawlLogin } from './crawl-order.ts'

interface FieldsProps {
  readonly draft: CrawlDraft
  readonly onChange: (changes: Partial<CrawlDraft>) => void
}

const ways: readonly { value: CrawlLogin; label: string; description: string }[] = [
  { value: 'nobody', label: 'No login', description: 'Crawl only what is public.' },
  {
    value: 'form',
    label: 'User name and password',
    description: 'The login form is detected automatically.',
  },
  { value: 'key', label: 'API key', description: 'Sent as x-api-key with every request in scope.' },
  { value: 'role', label: 'Test role', description: 'Stored credentials, login steps or a recorded login.' },
]

/** How a crawl signs in, and with what. */
export function LoginFields({ draft, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Sign in"
        description="Credentials are kept encrypted until the crawl has ended."
        value={draft.login}
        onChange={(login) => onChange({ login: login as CrawlLogin })}
      >
        <Stack gap="xs" mt="xs">
          {ways.map((way) => (
            <Radio key={way.value} {...way} />
          ))}
        </Stack>
      </Radio.Group>
      {draft.login === 'form' && (
        <>
          <TextInput
            label="User name"
            autoComplete="off"
            maxLength={500}
            value={draft.username}
            onChange={(event) => onChange({ username: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            maxLength={500}
            value={draft.password}
            onChange={(event) => onChange({ password: event.currentTarget.value })}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          />
        </>
      )}
      {draft.login === 'key' && (
        <PasswordInput
          label="Key of the application"
          description="Not an API key of this installation: that would never be sent to the application."
          autoComplete="new-password"
          maxLength={5000}
          value={draft.apiKey}
          onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        />
      )}
      {draft.login === 'role' && <RoleField draft={draft} onChange={onChange} />}
    </Stack>
  )
}

function RoleField({ draft, onChange }: FieldsProps) {
  const roles = useRead('fetchTestRoles', {}).data?.testRoles ?? []
  return (
    <Select
      label="Role"
      placeholder="Choose a role"
      data={roles.map((role) => ({ value: role.hexId, label: role.name }))}
      value={draft.roleId || null}
      onChange={(roleId) => onChange({ roleId: roleId ?? '' })}
    />
  )
}
