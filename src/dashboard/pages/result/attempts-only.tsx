import { Stack, Text } from '@mantine/core'
import type { TestResult } from '../../../contract/browser.ts'
import { ExchangeView } from '../../components/exchange/exchange-view.tsx'
import { readSample } from '../../components/exchange/read-sample.ts'

/** The attempts as the result itself carries them, where its file of evidence cannot be had. */
export function AttemptsOnly({ result }: { result: TestResult }) {
  const samples = result.testResults.flatMap((attempt) =>
    attempt.message === null ? [] : (readSample(attempt.message) ?? []),
  )
  if (samples.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was sent, so there is no request to show.
      </Text>
    )
  }
  return (
    <Stack>
      {samples.slice(0, 10).map((sample, at) => (
        <ExchangeView
          // biome-ignore lint/suspicious/noArrayIndexKey: the attempts of one result never move
          key={at}
          name={`Attempt ${at + 1}`}
          request={sample.request}
          response={sample.response}
        />
      ))}
    </Stack>
  )
}
