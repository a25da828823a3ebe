import { Code, Stack, Text } from '@mantine/core'
import { decodedViews } from '../../components/exchange/decoded-views.ts'
import { MarkedPart } from '../../components/exchange/marked-text.tsx'
import type { Sample } from '../../components/exchange/read-sample.ts'
import classes from './match-view.module.css'
import type { Match } from './matches.ts'

/** The part of a message in which a filter matched, as it was sent; undefined when it is not known. */
function sentPart(sample: Sample, { part, header: named }: Match): string | undefined {
  const header = (half: Sample['request']) =>
    half.headers
      .filter(([key]) => named === null || key.toLowerCase() === named.toLowerCase())
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n')
  if (part === 'URL') return sample.request.line.split(' ')[1]
  if (part === 'HEADER') return header(sample.request)
  if (part === 'BODY') return sample.request.body
  if (part === 'RESPONSE_HEADER') return header(sample.response)
  return part === 'RESPONSE_BODY' ? sample.response.body : undefined
}

/** What a filter matched: the part as it was sent, and how it reads after each decoding, with the match marked. */
export function MatchView({ match, sample }: { match: Match; sample: Sample | null }) {
  const sent = sample === null ? undefined : sentPart(sample, match)
  const views = sent === undefined || sent === '' ? [] : decodedViews(sent, match.phrase)
  return (
    <Stack gap={4} mb="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Matched in {match.place}
        {match.view !== '' && match.view !== 'raw' && `, read as ${match.view}`}: <Code>{match.phrase}</Code>
      </Text>
      {views.map(({ name, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same decoding may come twice; the list never changes
        <div key={at}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <div className={classes['text']}>
            <MarkedPart text={text} phrases={[match.phrase]} />
          </div>
        </div>
      ))}
    </Stack>
  )
}
