import {
  Alert,
  Button,
  Code,
  Group,
  MultiSelect,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconCertificate, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { RequestBodyOf, ResponseOf } from '../../../contract/browser.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { saveBlob } from '../../data/save-file.ts'
import { shownZone } from '../../data/time-zone.ts'
import { useCollectionNames } from '../../data/use-collection-names.ts'
import { useWrite } from '../../data/use-operation.ts'
import { useMayWrite } from '../../data/use-own-user.ts'
import { countOf } from '../../data/words.ts'
import { dayStart, monthDays, monthOf } from '../coverage/periods.ts'

type Format = NonNullable<RequestBodyOf<'makeTestRecord'>['format']>

const formats = [
  { value: 'PDF', label: 'PDF' },
  { value: 'HTML', label: 'HTML' },
  { value: 'JSON', label: 'JSON' },
] as const
const mediaTypes = { PDF: 'application/pdf', HTML: 'text/html', JSON: 'application/json' } as const

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
}

/** What was tested in a period, as a signed file for auditors. */
export function TestRecordCard() {
  const thisMonth = monthDays(monthOf(Date.now()))
  const [from, setFrom] = useState(thisMonth?.from ?? '')
  const [to, setTo] = useState(thisMonth?.to ?? '')
  const [format, setFormat] = useState<Format>('PDF')
  const [collections, setCollections] = useState<string[]>([])
  const { choices } = useCollectionNames()
  const mayWrite = useMayWrite()
  const make = useWrite('makeTestRecord', [])
  const submit = () =>
    make.mutate(
      {
        startTimestamp: dayStart(from),
        // The last day counts as a whole.
        endTimestamp: dayStart(to) + 86_400,
        apiCollectionIds: collections.map(Number),
        format,
      },
      {
        onSuccess: ({ fileName, content }) =>
          saveBlob(fileName, new Blob([bytesOf(content)], { type: mediaTypes[format] })),
      },
    )
  if (!mayWrite) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Test record">
      <Title order={2} mb={4}>
        Test record
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        What was tested in a period: executions and who started them, tests with the hash of their
        definitions, results by endpoint, findings, and what was not tested. The file is signed; anyone can
        check it offline.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Group align="end" wrap="wrap">
            <PeriodFields from={from} to={to} onFrom={setFrom} onTo={setTo} />
            <MultiSelect
              label="Record of collections"
              placeholder={collections.length === 0 ? 'All' : undefined}
              data={choices}
              value={collections}
              onChange={setCollections}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'Clear: record of collections' }}
              miw={200}
            />
            <SegmentedControl
              aria-label="Format"
              data={[...formats]}
              value={format}
              onChange={(next) => setFormat(next as Format)}
            />
          </Group>
          {make.error && <FailureNotice error={make.error} />}
          <Group>
            <Button type="submit" leftSection={<IconCertificate size={16} />} loading={make.isPending}>
              Create signed record
            </Button>
          </Group>
          {make.data && <SavedRecord record={make.data} />}
        </Stack>
      </form>
    </Paper>
  )
}

interface PeriodFieldsProps {
  /** First and last day, as date fields have them. */
  readonly from: string
  readonly to: string
  readonly onFrom: (day: string) => void
  readonly onTo: (day: string) => void
}

function PeriodFields({ from, to, onFrom, onTo }: PeriodFieldsProps) {
  return (
    <>
      <TextInput
        label="Month"
        description={`Sets both days. Time zone: ${shownZone}.`}
        type="month"
        defaultValue={monthOf(Date.now())}
        onChange={(event) => {
          const days = monthDays(event.currentTarget.value)
          if (days === null) return
          onFrom(days.from)
          onTo(days.to)
        }}
      />
      <TextInput
        label="First day"
        type="date"
        required
        value={from}
        onChange={(event) => onFrom(event.currentTarget.value)}
      />
      <TextInput
        label="Last day"
        type="date"
        required
        min={from}
        value={to}
        onChange={(event) => onTo(event.currentTarget.value)}
      />
    </>
  )
}

/** What was saved, with which key it is signed, and how it is checked. */
function SavedRecord({ record }: { readonly record: ResponseOf<'makeTestRecord'> }) {
  return (
    <Alert color="green" icon={<IconCheck size={18} />} role="status" title={`${record.fileName} is saved`}>
      <Stack gap={4}>
        <Text size="sm">
          {countOf(record.executions, 'execution')}, {countOf(record.checks, 'check')},{' '}
          {countOf(record.findings, 'finding')}; {record.endpointsTested} of{' '}
          {countOf(record.endpoints, 'endpoint')} had a verdict.
        </Text>
        <Text size="sm">
          Signed with the key <Code>{record.fingerprint}</Code>
        </Text>
        <Group gap="xs">
          <Code>vigil report verify {record.fileName}</Code>
          <CopyButton text={record.publicKey} what="the public key" label="Copy the public key" />
        </Group>
      </Stack>
    </Alert>
  )
}
