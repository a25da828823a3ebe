import { Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { ParameterFields, RecordingFields } from './credential-fields.tsx'
import type { GuidedLogin } from './guided-login.ts'

interface FieldsProps {
  readonly login: GuidedLogin
  readonly onChange: (changes: Partial<GuidedLogin>) => void
}

/** Names of what is typed as text. */
type TextName = {
  [Name in keyof GuidedLogin]: GuidedLogin[Name] extends string ? Name : never
}[keyof GuidedLogin]

interface FieldProps extends FieldsProps {
  readonly name: TextName
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly isOptional?: boolean
  readonly isSecret?: boolean
}

function Field({ login, onChange, name, label, isOptional = false, isSecret = false, ...rest }: FieldProps) {
  const shared = {
    ...rest,
    label,
    required: !isOptional,
    maxLength: 2000,
    autoComplete: 'off',
    value: login[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  }
  if (!isSecret) return <TextInput {...shared} />
  return (
    <PasswordInput
      {...shared}
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label.toLowerCase()}` }}
    />
  )
}

/** What must be known of a login of its way. */
export function GuidedLoginFields(props: FieldsProps & { readonly withUrl: boolean }) {
  const { login, onChange, withUrl } = props
  return (
    <Stack>
      {login.way === 'form' && <FormFields {...props} />}
      {login.way === 'api' && <ApiFields {...props} />}
      {login.way === 'token' && <TokenFields {...props} />}
      {login.way === 'oauth' && <ClientFields {...props} />}
      {login.way === 'recorded' && <RecordedFields {...props} />}
      {withUrl && (
        <Field
          {...{ login, onChange }}
          name="urlRegex"
          label="Only where the URL matches"
          description="A regular expression. Empty: everywhere that no other credential of the role fits."
          isOptional
        />
      )}
    </Stack>
  )
}

function AccountFields(props: FieldsProps) {
  return (
    <>
      <Group grow align="flex-end">
        <Field {...props} name="user" label="User" />
        <Field {...props} name="password" label="Password" isSecret />
      </Group>
      <Group grow align="flex-end">
        <Field {...props} name="userField" label="User field" />
        <Field {...props} name="passwordField" label="Password field" />
      </Group>
    </>
  )
}

function CodeFields(props: FieldsProps) {
  return (
    <>
      <Field
        {...props}
        name="totp"
        label="Secret for one-time codes (TOTP)"
        description="Base32 or an otpauth:// URI, if the login asks for a code."
        isOptional
        isSecret
      />
      {props.login.totp.trim() !== '' && (
        <Group grow align="flex-end">
          <Field {...props} name="totpField" label="Code field" />
          <Field
            {...props}
            name="totpUrl"
            label="URL that takes the code"
            description="Empty: the code is sent with the password."
            isOptional
          />
        </Group>
      )}
    </>
  )
}

function FormFields(props: FieldsProps) {
  const { login, onChange } = props
  return (
    <>
      <Field
        {...props}
        name="url"
        label="URL that the form is sent to"
        description="The action of the form, often the address of its page."
        placeholder="https://shop.example.com/login"
      />
      <AccountFields {...props} />
      <Field
        {...props}
        name="pageUrl"
        label="Page of the form"
        description="Only if the form has a hidden token, as most frameworks add against request forgery. A separate code form is read for its token as well."
        placeholder="https://shop.example.com/login"
        isOptional
      />
      {login.pageUrl.trim() !== '' && <Field {...props} name="hiddenField" label="Hidden token field" />}
      <CodeFields {...props} />
      <Group grow align="flex-end">
        <Select
          label="Signed in when"
          data={[
            { value: 'redirect', label: 'the answer redirects' },
            { value: 'cookie', label: 'the answer sets a cookie' },
            { value: 'any', label: 'the status is below 400' },
          ]}
          value={login.sign}
          allowDeselect={false}
          onChange={(sign) => onChange({ sign: (sign ?? 'redirect') as GuidedLogin['sign'] })}
        />
        {login.sign === 'cookie' && <Field {...props} name="signCookie" label="Name of the cookie" />}
      </Group>
      <Text size="sm" c="dimmed">
        Requests of the role carry the cookies that the login sets.
      </Text>
    </>
  )
}

function ApiFields(props: FieldsProps) {
  return (
    <>
      <Field
        {...props}
        name="url"
        label="Login URL"
        description="Gets a POST request with a JSON body."
        placeholder="https://api.example.com/v1/login"
      />
      <AccountFields {...props} />
      <CodeFields {...props} />
      <Field
        {...props}
        name="tokenPath"
        label="Token in the answer"
        description="Its path in the JSON, for example data.tokens[0].access."
      />
      <CarriedIn {...props} />
    </>
  )
}

/** The header that carries a token. */
function CarriedIn(props: FieldsProps) {
  return (
    <Group grow align="flex-end">
      <Field {...props} name="header" label="Header that carries it" />
      <Field {...props} name="prefix" label="Word before it" isOptional />
    </Group>
  )
}

function TokenFields(props: FieldsProps) {
  return (
    <>
      <Field {...props} name="token" label="Token or key" description="Stored sealed." isSecret />
      <CarriedIn {...props} />
    </>
  )
}

function ClientFields(props: FieldsProps) {
  const { login, onChange } = props
  return (
    <>
      <Field {...props} name="url" label="Token endpoint" placeholder="https://id.example.com/oauth/token" />
      <Group grow align="flex-end">
        <Field {...props} name="clientId" label="Client ID" />
        <Field {...props} name="clientSecret" label="Client secret" isSecret />
      </Group>
      <Group grow align="flex-end">
        <Field {...props} name="scope" label="Scope" description="Separated by spaces." isOptional />
        <Field
          {...props}
          name="audience"
          label="Audience"
          description="If the server asks for one."
          isOptional
        />
      </Group>
      <Select
        label="Client authentication"
        data={[
          { value: 'basic', label: 'in the Authorization header (Basic)' },
          { value: 'body', label: 'in the body' },
        ]}
        value={login.clientAuth}
        allowDeselect={false}
        onChange={(way) => onChange({ clientAuth: way === 'body' ? 'body' : 'basic' })}
      />
    </>
  )
}

function RecordedFields({ login, onChange }: FieldsProps) {
  const { recorded } = login
  const change = (changes: Partial<typeof recorded>) => onChange({ recorded: { ...recorded, ...changes } })
  return (
    <>
      <RecordingFields draft={recorded} onChange={change} />
      <ParameterFields draft={recorded} onChange={change} />
    </>
  )
}
