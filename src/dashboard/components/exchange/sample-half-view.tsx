import { Group, Stack, Switch, Table, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { CodeBlock } from '../code/code-block.tsx'
import { CopyButton } from '../copy-button.tsx'
import { MarkedText } from './marked-text.tsx'
import type { SampleHalf } from './read-sample.ts'
import classes from './sample-half-view.module.css'

/** What is marked in a part of a message. */
export interface Mark {
  readonly part: 'line' | 'header' | 'body'
  /** Name of the header; null for any. */
  readonly header: string | null
  readonly phrase: string
}

interface SampleHalfViewProps {
  readonly title: string
  readonly half: SampleHalf
  readonly marks?: readonly Mark[]
}

const noMarks: readonly Mark[] = []

function phrasesOf(marks: readonly Mark[], part: Mark['part'], header: string | null = null): string[] {
  return marks
    .filter((mark) => mark.part === part && (mark.header === null || mark.header === header?.toLowerCase()))
    .map(({ phrase }) => phrase)
}

/** Request or response of a sample: first line, headers, body; JSON laid out unless the reader wants it raw. */
export function SampleHalfView({ title, half, marks = noMarks }: SampleHalfViewProps) {
  const [raw, setRaw] = useState(false)
  const inBody = useMemo(() => phrasesOf(marks, 'body'), [marks])
  return (
    <section className={classes['half']} aria-label={title}>
      <Stack gap="xs">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text ff="monospace" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <MarkedText text={half.line} phrases={phrasesOf(marks, 'line')} />
        </Text>
        {half.headers.length > 0 && (
          <Table
            aria-label={`${title} headers`}
            layout="fixed"
            verticalSpacing={2}
            className={classes['headers']}
          >
            <Table.Tbody>
              {half.headers.map(([name, value], at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times; the list never changes
                <Table.Tr key={at}>
                  <Table.Th w="34%">{name}</Table.Th>
                  <Table.Td>
                    <MarkedText text={value} phrases={phrasesOf(marks, 'header', name)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {half.body === '' ? (
          <Text size="sm" c="dimmed">
            No body.
          </Text>
        ) : (
          <>
            <Group justify="space-between">
              <Switch
                size="xs"
                label="as sent"
                aria-label={`${title} body as sent`}
                checked={raw}
                onChange={(event) => setRaw(event.currentTarget.checked)}
              />
              <CopyButton text={half.body} what={`the ${title.toLowerCase()} body`} />
            </Group>
            <CodeBlock text={half.body} label={`${title} body`} pretty={!raw} phrases={inBody} />
          </>
        )}
      </Stack>
    </section>
  )
}
