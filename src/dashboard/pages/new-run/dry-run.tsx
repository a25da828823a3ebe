import { Alert, Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { RequestBodyOf, ResponseOf } from '../../../contract/browser.ts'
import { EndpointLink } from '../../components/endpoint/endpoint-link.tsx'
import { Facts } from '../../components/facts.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TableSkeleton } from '../../components/feedback/table-skeleton.tsx'
import { CardFrame } from '../../components/table/card-frame.tsx'
import { useRead } from '../../data/use-operation.ts'
import { useTests } from '../../data/use-tests.ts'
import { countOf, countText, durationText } from '../../data/words.ts'

type Request = RequestBodyOf<'dryRunTest'>
type Answer = ResponseOf<'dryRunTest'>

const FIRST_SHOWN = 10
const CHECKS_SHOWN = 100

/** What the run would send, found out from recorded answers. Nothing is sent for it. */
export function DryRunSection({ request }: { readonly request: Request }) {
  const { data, error, isFetching, refetch } = useRead('dryRunTest', { ...request, limit: 1 })
  const section = useRef<HTMLDivElement>(null)
  // It stands below a long list of tests.
  useEffect(() => {
    section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Dry run"
      aria-busy={isFetching}
      ref={section}
      tabIndex={-1}
      style={{ scrollMarginTop: 72 }}
    >
      <Title order={2} mb="xs">
        Dry run
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Worked out from recorded answers. Nothing was sent. A vulnerable target gets a few more requests for
        each finding.
      </Text>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <TableSkeleton rows={6} label="Working out what would be sent" />}
      {data && (
        <Stack gap="md">
          <Totals data={data} />
          <ByTest data={data} request={request} />
          <Skipped data={data} />
        </Stack>
      )}
    </Paper>
  )
}

/** "about 40 s"; never less than a second. */
export function aboutText(seconds: number): string {
  return `about ${durationText(Math.max(1, Math.round(seconds)))}`
}

function Totals({ data }: { readonly data: Answer }) {
  const isPartial = data.endpointsRead < data.endpoints || data.estimatedChecks > 0
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          ['Checks', countText(data.planned)],
          ['Skipped', countText(data.skipped)],
          ['Requests', countText(data.requests)],
          ['Requests that may change data', countText(data.writes)],
          ['Time', aboutText(data.seconds)],
          ['Acts as', data.roles.map(({ role }) => role).join(', ') || 'the recorded callers'],
          ['Hosts', data.hosts.map(({ host, requests }) => `${host} (${countText(requests)})`).join(', ')],
        ]}
      />
      <Text size="sm" c="dimmed">
        {data.measuredMs === null
          ? 'No request to these hosts was measured yet: 100 ms each are assumed.'
          : `The newest requests to these hosts took ${Math.round(data.measuredMs)} ms on average.`}{' '}
        Before the first check: {countOf(data.openingRequests, 'request')} for sign-ins and for probes that
        show how the target answers.
      </Text>
      {isPartial && (
        <Text size="sm">
          Estimated from {countText(data.endpointsRead)} of {countOf(data.endpoints, 'endpoint')}
          {data.estimatedChecks > 0 &&
            `; ${countOf(data.estimatedChecks, 'check')} estimated from others of the same test`}
          .
        </Text>
      )}
      {data.writes > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} p="xs">
          {countOf(data.writes, 'request')} may change data of the target.
        </Alert>
      )}
    </Stack>
  )
}

function ByTest({ data, request }: { readonly data: Answer; readonly request: Request }) {
  const { byId } = useTests()
  const [showsAll, setShowsAll] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const shown = showsAll ? data.byTest : data.byTest.slice(0, FIRST_SHOWN)
  if (shown.length === 0) return null
  return (
    <div>
      <CardFrame inset label="Checks by test">
        <Table aria-label="Checks by test" miw={640} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Test</Table.Th>
              <Table.Th ta="right">Checks</Table.Th>
              <Table.Th ta="right">Skipped</Table.Th>
              <Table.Th ta="right">Requests</Table.Th>
              <Table.Th ta="right">May change data</Table.Th>
              <Table.Th ta="right">Time on its own</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ testSubCategory, checks, skipped, requests, writes, seconds }) => (
              <Table.Tr key={testSubCategory}>
                <Table.Td data-label="Test">
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="left"
                    aria-expanded={open === testSubCategory}
                    onClick={() => setOpen(open === testSubCategory ? null : testSubCategory)}
                  >
                    {byId.get(testSubCategory)?.testName ?? testSubCategory}
                  </Anchor>
                </Table.Td>
                <Table.Td data-label="Checks" ta="right">
                  {countText(checks - skipped)}
                </Table.Td>
                <Table.Td data-label="Skipped" ta="right">
                  {countText(skipped)}
                </Table.Td>
                <Table.Td data-label="Requests" ta="right">
                  {countText(requests)}
                </Table.Td>
                <Table.Td data-label="May change data" ta="right">
                  {countText(writes)}
                </Table.Td>
                <Table.Td data-label="Time on its own" ta="right">
                  {requests === 0 ? '–' : aboutText(seconds)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      <ShowAll count={data.byTest.length} word="test" showsAll={showsAll} onToggle={setShowsAll} />
      {open !== null && <ChecksOfTest request={request} testId={open} />}
    </div>
  )
}

function ShowAll(props: {
  readonly count: number
  readonly word: string
  readonly showsAll: boolean
  readonly onToggle: (showsAll: boolean) => void
}) {
  const { count, word, showsAll, onToggle } = props
  if (count <= FIRST_SHOWN) return null
  return (
    <Group gap="sm" pt="xs">
      <Text size="sm" c="dimmed">
        {showsAll ? countOf(count, word) : `${FIRST_SHOWN} of ${countOf(count, word)}`}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={showsAll ? `Show fewer ${word}s` : `Show all ${word}s`}
        onClick={() => onToggle(!showsAll)}
      >
        {showsAll ? 'Show fewer' : 'Show all'}
      </Button>
    </Group>
  )
}

/** Each endpoint of a test: what would be sent, as whom, or why it would be skipped. */
function ChecksOfTest({ request, testId }: { readonly request: Request; readonly testId: string }) {
  const { byId } = useTests()
  const { data, error, refetch } = useRead('dryRunTest', {
    ...request,
    testSubCategory: testId,
    limit: CHECKS_SHOWN,
  })
  const name = byId.get(testId)?.testName ?? testId
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={4} label="Loading the checks" />
  return (
    <Stack gap={4} mt="sm">
      <Text size="sm" fw={600}>
        {name}: {countOf(data.checksCount, 'endpoint')}
      </Text>
      <CardFrame inset label={`Checks of ${name}`}>
        <Table aria-label={`Checks of ${name}`} miw={640} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Endpoint</Table.Th>
              <Table.Th ta="right">Requests</Table.Th>
              <Table.Th ta="right">Time on its own</Table.Th>
              <Table.Th>Acts as</Table.Th>
              <Table.Th>Skipped because</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.checks.map(({ apiInfoKey, requests, writes, seconds, roles, reason }) => (
              <Table.Tr key={`${apiInfoKey.apiCollectionId} ${apiInfoKey.method} ${apiInfoKey.url}`}>
                <Table.Td data-label="Endpoint">
                  <EndpointLink endpointKey={apiInfoKey} />
                </Table.Td>
                <Table.Td data-label="Requests" ta="right">
                  {countText(requests)}
                  {writes > 0 && ` (${countOf(writes, 'write')})`}
                </Table.Td>
                <Table.Td data-label="Time on its own" ta="right">
                  {requests === 0 ? '–' : aboutText(seconds)}
                </Table.Td>
                <Table.Td data-label="Acts as">{roles.join(', ') || '–'}</Table.Td>
                <Table.Td data-label="Skipped because" style={{ overflowWrap: 'anywhere' }}>
                  {reason ?? '–'}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      {data.checksCount > data.checks.length && (
        <Text size="sm" c="dimmed">
          The first {countText(data.checks.length)} are shown.
        </Text>
      )}
    </Stack>
  )
}

function Skipped({ data }: { readonly data: Answer }) {
  const [showsAll, setShowsAll] = useState(false)
  if (data.reasons.length === 0) return null
  const shown = showsAll ? data.reasons : data.reasons.slice(0, FIRST_SHOWN)
  return (
    <div>
      <CardFrame inset label="Reasons for skipping">
        <Table aria-label="Reasons for skipping" miw={520} verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Skipped because</Table.Th>
              <Table.Th ta="right">Checks</Table.Th>
              <Table.Th ta="right">Tests</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ outcome, reason, checks, tests }) => (
              <Table.Tr key={`${outcome} ${reason}`}>
                <Table.Td data-label="Skipped because" style={{ overflowWrap: 'anywhere' }}>
                  {reason}
                </Table.Td>
                <Table.Td data-label="Checks" ta="right">
                  {countText(checks)}
                </Table.Td>
                <Table.Td data-label="Tests" ta="right">
                  {countText(tests)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </CardFrame>
      <ShowAll count={data.reasons.length} word="reason" showsAll={showsAll} onToggle={setShowsAll} />
    </div>
  )
}
