import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash, IconUpload } from '@tabler/icons-react'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { type CredentialDraft, emptyStep, type ParameterDraft, type StepDraft } from './credential-draft.ts'

interface FieldsProps {
  readonly draft: CredentialDraft
  readonly onChange: (changes: Partial<CredentialDraft>) => void
}

/** The list with one entry replaced. */
function replaced<T>(list: readonly T[], at: number, entry: T): T[] {
  return list.map((one, index) => (index === at ? entry : one))
}

const places = [
  { value: 'HEADER', label: 'A header' },
  { value: 'BODY', label: 'A field of the body' },
]

const valueHints: Partial<Record<CredentialDraft['kind'], string>> = {
  LOGIN_REQUEST:
    '${x1.response.body.token} stands for the field token of the first answer (x3 is the second request); ${x1.response.headers.name} and ${cookies} work too.',
  RECORDED: '${token} stands for what the expression yields, ${cookies} for the cookies at the end.',
  SAMPLE_DATA:
    '${x1.response.body.token} stands for a field of the recorded answer, ${x1.request.headers.authorization} for a header of the request.',
}

/** Where requests carry what authenticates: one value or several. */
export function ParameterFields({ draft, onChange }: FieldsProps) {
  const { parameters, kind } = draft
  const set = (at: number, changes: Partial<ParameterDraft>) =>
    onChange({ parameters: replaced(parameters, at, { ...parameters[at]!, ...changes }) })
  return (
    <>
      {parameters.map((parameter, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no name while they are typed
        <Stack key={at} gap="xs">
          <Group grow align="flex-start" wrap="nowrap">
            <Select
              label="Carried in"
              data={places}
              value={parameter.where.toUpperCase()}
              allowDeselect={false}
              onChange={(where) => set(at, { where: where ?? 'HEADER' })}
            />
            <TextInput
              label="Name"
              required
              maxLength={200}
              value={parameter.key}
              onChange={(event) => set(at, { key: event.currentTarget.value })}
            />
          </Group>
          <Group align="flex-end" wrap="nowrap">
            {kind === 'HARDCODED' ? (
              <PasswordInput
                label="Value"
                description="Stored sealed. For a token: Bearer, a space, the token."
                flex={1}
                required
                autoComplete="off"
                value={parameter.value}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
                visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
              />
            ) : (
              <TextInput
                label="Value"
                description={valueHints[kind]}
                flex={1}
                required
                value={parameter.value}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
              />
            )}
            {parameters.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                mb={4}
                aria-label={`Remove value ${at + 1}`}
                onClick={() => onChange({ parameters: parameters.filter((_one, index) => index !== at) })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        </Stack>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange({ parameters: [...parameters, { where: 'HEADER', key: '', value: '' }] })}
      >
        Another value
      </Button>
    </>
  )
}

/** The requests of a login, in order. */
export function LoginFields({ draft: { steps }, onChange }: FieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        The requests are sent before a run, and again when its session dies. Texts of later ones may hold
        values of earlier answers.
      </Text>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: requests have no name while they are typed
        <Paper key={at} withBorder p="sm" component="section" aria-label={`Request ${at + 1}`}>
          <StepFields
            step={step}
            onChange={(next) => onChange({ steps: replaced(steps, at, next) })}
            onRemove={
              steps.length > 1
                ? () => onChange({ steps: steps.filter((_one, index) => index !== at) })
                : undefined
            }
            number={at + 1}
          />
        </Paper>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange({ steps: [...steps, emptyStep] })}
      >
        Another request
      </Button>
    </>
  )
}

interface StepFieldsProps {
  readonly step: StepDraft
  readonly number: number
  readonly onChange: (step: StepDraft) => void
  readonly onRemove: (() => void) | undefined
}

function StepFields({ step, number, onChange, onRemove }: StepFieldsProps) {
  return (
    <Stack gap="xs">
      <Group align="flex-end" wrap="nowrap">
        <Select
          label="Method"
          w={110}
          data={['POST', 'GET', 'PUT']}
          value={step.method}
          allowDeselect={false}
          onChange={(method) => onChange({ ...step, method: method ?? 'POST' })}
        />
        <TextInput
          label="URL of the login"
          flex={1}
          required
          maxLength={2000}
          placeholder="https://shop.example.com/login"
          value={step.url}
          onChange={(event) => onChange({ ...step, url: event.currentTarget.value })}
        />
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={`Remove request ${number}`}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
      <Textarea
        label="Headers"
        description="One per line: name, colon, value."
        autosize
        minRows={1}
        maxRows={6}
        value={step.headers}
        onChange={(event) => onChange({ ...step, headers: event.currentTarget.value })}
      />
      <Textarea
        label="Body"
        autosize
        minRows={2}
        maxRows={8}
        placeholder='{"user":"ada","password":"…"}'
        value={step.body}
        onChange={(event) => onChange({ ...step, body: event.currentTarget.value })}
      />
      <TextInput
        label="Secret for one-time codes"
        description="Base32 or an otpauth:// URI, if the login asks for a code. Write ${totp} where the code goes."
        maxLength={1000}
        value={step.totp}
        onChange={(event) => onChange({ ...step, totp: event.currentTarget.value })}
      />
    </Stack>
  )
}

/** A login as a browser recorded it. */
export function RecordingFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        Record the login with the Recorder of Chrome's developer tools and export it as JSON. It is played in
        a browser of the server before a run, and again when its session dies.
      </Text>
      <Textarea
        label="Recording"
        description="The exported JSON. It holds the password as it was typed, and is stored sealed."
        required
        autosize
        minRows={4}
        maxRows={10}
        value={draft.recording}
        onChange={(event) => onChange({ recording: event.currentTarget.value })}
      />
      <FileButton
        accept="application/json,.json"
        onChange={(file) => void file?.text().then((recording) => onChange({ recording }))}
        inputProps={{ 'aria-label': 'File with the recording' }}
      >
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="default"
            w="fit-content"
            leftSection={<IconUpload size={14} />}
          >
            Take it from a file
          </Button>
        )}
      </FileButton>
      <TextInput
        label="Expression that yields the token"
        description="Evaluated in the last page. Empty where cookies are enough."
        placeholder="localStorage.getItem('token')"
        maxLength={2000}
        value={draft.tokenCommand}
        onChange={(event) => onChange({ tokenCommand: event.currentTarget.value })}
      />
    </>
  )
}

/** The endpoint whose newest sample gives the values. */
export function SampleFields({ draft, onChange }: FieldsProps) {
  const { choices } = useCollectionNames()
  return (
    <>
      <Text size="sm" c="dimmed">
        The values come from the newest recorded exchange of an endpoint that was answered with success.
      </Text>
      <Select
        label="Collection"
        required
        searchable
        data={choices}
        value={draft.sampleCollection || null}
        onChange={(sampleCollection) => onChange({ sampleCollection: sampleCollection ?? '' })}
      />
      <Group align="flex-end" wrap="nowrap">
        <Select
          label="Method"
          w={110}
          data={['GET', 'POST', 'PUT', 'PATCH']}
          value={draft.sampleMethod}
          allowDeselect={false}
          onChange={(sampleMethod) => onChange({ sampleMethod: sampleMethod ?? 'POST' })}
        />
        <TextInput
          label="Endpoint"
          flex={1}
          required
          maxLength={2000}
          placeholder="/api/login"
          value={draft.sampleUrl}
          onChange={(event) => onChange({ sampleUrl: event.currentTarget.value })}
        />
      </Group>
    </>
  )
}

/** User and password of digest authentication. */
export function DigestFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label="User"
        required
        maxLength={300}
        autoComplete="off"
        value={draft.user}
        onChange={(event) => onChange({ user: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        description="Stored sealed; only its digest is sent (RFC 7616)."
        required
        autoComplete="off"
        value={draft.password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
      />
    </>
  )
}

/** A certificate with its key. */
export function CertificateField({ draft, onChange }: FieldsProps) {
  return (
    <Textarea
      label="Certificate and key"
      description="Both as PEM, one below the other; the key not encrypted. Stored sealed."
      required
      autosize
      minRows={5}
      maxRows={12}
      value={draft.certificate}
      onChange={(event) => onChange({ certificate: event.currentTarget.value })}
    />
  )
}
