import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { EndpointKey } from '../../../contract/browser.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { sourceWord } from '../../components/endpoint/endpoint-words.ts'
import { StatusTag } from '../../components/endpoint/status-tag.tsx'
import { readSample } from '../../components/exchange/read-sample.ts'
import { RevealSwitch } from '../../components/exchange/reveal-switch.tsx'
import { SampleHalfView } from '../../components/exchange/sample-half-view.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { hidesContent } from '../../data/query-client.ts'
import { useRead } from '../../data/use-operation.ts'

/** The kept samples, newest first: request and response side by side. */
export function SamplesPanel({ endpointKey }: { endpointKey: EndpointKey }) {
  const [isRevealed, setRevealed] = useState(false)
  const { data, error, refetch } = useRead('fetchSampleData', { ...endpointKey, unmasked: isRevealed })
  const [chosen, setChosen] = useState(0)
  const texts = useMemo(() => data?.sampleDataList.flatMap((item) => item.samples).reverse(), [data])
  if (hidesContent(error, data)) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (texts === undefined) return <Skeleton height={240} />
  const text = texts[chosen] ?? texts[0]
  if (text === undefined) {
    return (
      <Text size="sm" c="dimmed">
        No sample is kept. Endpoints that only a specification describes have none, nor have collections that
        are redacted.
      </Text>
    )
  }
  return (
    <Stack>
      <RevealSwitch isOn={isRevealed} onChange={setRevealed} />
      {texts.length > 1 && (
        <Group>
          <Text size="sm">Sample, newest first</Text>
          <SegmentedControl
            size="xs"
            aria-label="Sample"
            value={String(chosen)}
            onChange={(value) => setChosen(Number(value))}
            data={texts.map((_, at) => ({ value: String(at), label: String(at + 1) }))}
          />
        </Group>
      )}
      <SampleView text={text} />
    </Stack>
  )
}

function SampleView({ text }: { text: string }) {
  const sample = useMemo(() => readSample(text), [text])
  const curl = useRead('convertSampleDataToCurl', { sampleData: text })
  if (sample === null) return <Text size="sm">This sample cannot be read: {text.slice(0, 200)}</Text>
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          {sample.status > 0 && <StatusTag code={sample.status} />}
          <Text span size="sm">
            <TimeAgo seconds={sample.time} never="at an unknown time" />
          </Text>
          {sample.ip !== '' && <Text size="sm">from {sample.ip}</Text>}
          {sample.source !== '' && (
            <Text size="sm" c="dimmed">
              {sourceWord(sample.source)}
            </Text>
          )}
        </Group>
        {curl.data?.curlString && (
          <CopyButton text={curl.data.curlString} what="the request as a curl command" label="Copy as curl" />
        )}
      </Group>
      {curl.error && <FailureNotice error={curl.error} onRetry={() => void curl.refetch()} />}
      <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
        <SampleHalfView title="Request" half={sample.request} />
        <SampleHalfView title="Response" half={sample.response} />
      </Group>
    </Stack>
  )
}
