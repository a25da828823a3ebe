import { Button, Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointKey, TestResult } from '../../../contract/browser.ts'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { endpointLabel } from '../../components/endpoint/path-parts.ts'
import { ExchangeView } from '../../components/exchange/exchange-view.tsx'
import { readSample } from '../../components/exchange/read-sample.ts'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { VerdictTag } from '../../components/testing/verdict.tsx'
import { client } from '../../data/client.ts'
import { useRead, useWrite } from '../../data/use-operation.ts'

const offered = 200
const askEveryMs = 1_500

/** Tries the text of a test on one endpoint. Nothing is kept. */
export function TryPanel({ content }: { content: string }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const { data } = useRead(
    'searchEndpoints',
    { search: search || null, state: listedStates, limit: offered, skip: 0 },
    { keepLast: true },
  )
  const attempt = useWrite('runTestForGivenTemplate', [])
  const later = attempt.data?.testingRunPlaygroundHexId ?? null
  const status = useQuery({
    queryKey: ['fetchTestingRunPlaygroundStatus', later],
    queryFn: ({ signal }) =>
      client.call('fetchTestingRunPlaygroundStatus', { testingRunPlaygroundHexId: later ?? '' }, { signal }),
    enabled: later !== null && attempt.data?.testingRunResult === null,
    refetchInterval: ({ state }) =>
      state.data?.testingRunPlaygroundStatus === 'RUNNING' ? askEveryMs : false,
  })
  const result = attempt.data?.testingRunResult ?? status.data?.testingRunResult ?? null
  const endpoints = new Map(data?.endpoints.map(({ id }) => [JSON.stringify(id), id]))
  const key: EndpointKey | null = chosen === null ? null : (JSON.parse(chosen) as EndpointKey)
  return (
    <Paper withBorder p="md" component="section" aria-label="Try it">
      <Title order={2} mb="xs">
        Try it
      </Title>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sends real requests, only to the host of the endpoint. Stores no results and no issues.
        </Text>
        <Select
          label="Endpoint"
          placeholder="Choose one"
          data={[...endpoints].map(([value, id]) => ({ value, label: endpointLabel(id) }))}
          value={chosen}
          onChange={setChosen}
          searchable
          onSearchChange={(text) => setSearch(/^[A-Z]+ /.test(text) ? '' : text.slice(0, 200))}
          nothingFoundMessage="No endpoint of that path"
        />
        <Group>
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            disabled={key === null || content.trim() === ''}
            loading={attempt.isPending || status.data?.testingRunPlaygroundStatus === 'RUNNING'}
            onClick={() => key && attempt.mutate({ content, apiInfoKey: key, sampleDataList: [] })}
          >
            Try it
          </Button>
        </Group>
        {attempt.error && <FailureNotice error={attempt.error} />}
        {status.error && <FailureNotice error={status.error} />}
        {result && <TriedResult result={result} />}
      </Stack>
    </Paper>
  )
}

function TriedResult({ result }: { result: TestResult }) {
  const last = result.testResults.find((one) => one.vulnerable) ?? result.testResults.at(-1)
  const sample = last?.message ? readSample(last.message) : null
  return (
    <Stack gap="sm" role="status">
      <Group gap="xs">
        <VerdictTag result={result} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {last?.validationReason ?? result.errorsList.join('; ')}
        </Text>
      </Group>
      {sample && <ExchangeView request={sample.request} response={sample.response} />}
    </Stack>
  )
}
