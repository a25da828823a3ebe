import { Alert, Button, Code, Group, Image, Select, Stack, Table, Text, Title } from '@mantine/core'
import { IconCheck, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../../contract/browser.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EndpointLink } from '../../../components/endpoint/endpoint-link.tsx'
import { StatusTag } from '../../../components/endpoint/status-tag.tsx'
import { FailureNotice } from '../../../components/feedback/failure-notice.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useCollectionNames } from '../../../data/use-collection-names.ts'
import { useRead, useWrite } from '../../../data/use-operation.ts'

type Tried = ResponseOf<'tryTestLogin'>

interface TryLoginProps {
  readonly roleName: string
  readonly index: number
  /** A recorded login leaves pictures. */
  readonly isRecorded: boolean
}

interface TryLoginDialogProps extends TryLoginProps {
  /** Name to show. */
  readonly name: string
  readonly onClose: () => void
}

/** Tries a stored login of a role. */
export function TryLoginDialog({ name, onClose, ...props }: TryLoginDialogProps) {
  return (
    <Dialog title={`Try the login of ${name}`} size="xl" onClose={onClose}>
      <TryLogin {...props} />
    </Dialog>
  )
}

/** Signs a role in once: every step, the session it yields, and what the session reaches. */
export function TryLogin({ roleName, index, isRecorded }: TryLoginProps) {
  const [collection, setCollection] = useState<string | null>(null)
  const { choices } = useCollectionNames()
  const attempt = useWrite('tryTestLogin', ['fetchRecordedLoginScreenshots'])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        attempt.mutate({ roleName, index, apiCollectionId: Number(collection ?? 0) })
      }}
    >
      <Stack>
        <Text size="sm">
          Sends the stored login to the hosts that its steps name. Nothing is kept; values are shown masked.
        </Text>
        <Group align="end">
          <Select
            label="Show what it reaches in"
            description="Asks at most eight endpoints that only read."
            placeholder="No collection"
            data={choices}
            value={collection}
            onChange={setCollection}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Clear: collection' }}
            miw={260}
          />
          <Button type="submit" leftSection={<IconPlayerPlay size={16} />} loading={attempt.isPending}>
            Try it
          </Button>
        </Group>
        {attempt.error && <FailureNotice error={attempt.error} />}
        {attempt.data && <Outcome tried={attempt.data} />}
        {isRecorded && attempt.data && <Pictures roleName={roleName} />}
      </Stack>
    </form>
  )
}

function titleOf({ signedIn, steps, expiresAt }: Tried): string {
  if (!signedIn) return 'Not signed in'
  return steps.length === 0 && expiresAt === 0
    ? 'No login is needed: requests carry the stored values'
    : 'Signed in'
}

function Outcome({ tried }: { readonly tried: Tried }) {
  return (
    <>
      <Alert
        role="status"
        color={tried.signedIn ? 'green' : 'red'}
        icon={tried.signedIn ? <IconCheck size={18} /> : <IconX size={18} />}
        title={titleOf(tried)}
      >
        {tried.reason}
        {tried.session.map(({ where, key, value }) => (
          <Text key={`${where} ${key}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {where.toLowerCase()} {key}: <Code>{value}</Code>
          </Text>
        ))}
        {tried.expiresAt > 0 && (
          <Text size="sm">
            Ends <TimeAgo seconds={tried.expiresAt} />
          </Text>
        )}
      </Alert>
      {tried.steps.length > 0 && <Steps steps={tried.steps} />}
      {tried.reached.length > 0 && <Reached reached={tried.reached} />}
    </>
  )
}

function Steps({ steps }: { readonly steps: Tried['steps'] }) {
  return (
    <section aria-label="Steps of the login">
      <Title order={3} mb={4}>
        Steps
      </Title>
      <Stack component="ol" gap="sm" m={0} pl="md">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one answer never move
          <li key={at}>
            <Group gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {step.method} {step.url}
              </Text>
              {step.status === null ? (
                <Text size="sm">no answer ({step.failure})</Text>
              ) : (
                <StatusTag code={step.status} />
              )}
              <Text size="sm" c="dimmed">
                {Math.round(step.durationMs)} ms
              </Text>
            </Group>
            {step.answer !== '' && (
              <details>
                <summary>
                  <Text span size="sm">
                    Answer
                  </Text>
                </summary>
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {step.answer}
                </Code>
              </details>
            )}
          </li>
        ))}
      </Stack>
    </section>
  )
}

function Reached({ reached }: { readonly reached: Tried['reached'] }) {
  const code = (status: number | null) => (status === null ? '–' : <StatusTag code={status} />)
  return (
    <section aria-label="What it reaches">
      <Title order={3} mb={4}>
        What it reaches
      </Title>
      <Table aria-label="What the session reaches" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>Signed in</Table.Th>
            <Table.Th>Anonymous</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reached.map(({ apiInfoKey, status, anonymousStatus }) => (
            <Table.Tr key={`${apiInfoKey.method} ${apiInfoKey.url}`}>
              <Table.Td>
                <EndpointLink endpointKey={apiInfoKey} />
              </Table.Td>
              <Table.Td>{code(status)}</Table.Td>
              <Table.Td>{code(anonymousStatus)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

/** Pictures of the last recorded login of a role. */
function Pictures({ roleName }: { readonly roleName: string }) {
  const { data } = useRead('fetchRecordedLoginScreenshots', { roleName })
  const pictures = data?.screenshotsBase64 ?? []
  if (pictures.length === 0) return null
  return (
    <section aria-label="Screenshots">
      <Title order={3} mb={4}>
        Screenshots of the last recording
      </Title>
      <Group align="start">
        {pictures.map((picture, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pictures have no name
          <Image key={at} src={`data:image/png;base64,${picture}`} alt={`Screenshot ${at + 1}`} w={260} />
        ))}
      </Group>
    </section>
  )
}
