import { Group } from '@mantine/core'
import type { SampleHalf } from './read-sample.ts'
import { type Mark, SampleHalfView } from './sample-half-view.tsx'

interface ExchangeViewProps {
  /** What the exchange is, before the words request and response: "Attempt 1". */
  readonly name?: string
  readonly request: SampleHalf
  readonly response: SampleHalf
  /** What is marked in the request, and in the response. */
  readonly marks?: { readonly request: readonly Mark[]; readonly response: readonly Mark[] }
}

/** Request and response beside each other; below each other where there is no room. */
export function ExchangeView({ name, request, response, marks }: ExchangeViewProps) {
  const title = (half: string) => (name === undefined ? half : `${name}: ${half.toLowerCase()}`)
  return (
    <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <SampleHalfView title={title('Request')} half={request} {...(marks && { marks: marks.request })} />
      <SampleHalfView title={title('Response')} half={response} {...(marks && { marks: marks.response })} />
    </Group>
  )
}
