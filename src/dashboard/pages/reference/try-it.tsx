import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { session } from '../../session/use-session.ts'
import type { ReferenceOperation } from './read-document.ts'
import { curlOf, problemOf } from './request-text.ts'

interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly text: string
}

async function send(name: string, body: string): Promise<Answer> {
  const begun = performance.now()
  const answer = await session.fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, milliseconds: Math.round(performance.now() - begun), text }
}

/** Calls an operation with a body of the reader's, as the person who is signed in. */
export function TryIt({ operation: { name, writes, requestExample } }: { operation: ReferenceOperation }) {
  const [body, setBody] = useState(requestExample)
  const queries = useQueryClient()
  const call = useMutation({
    mutationFn: () => send(name, body),
    onSuccess: () => (writes ? queries.invalidateQueries() : undefined),
  })
  const problem = problemOf(body)
  return (
    <Paper withBorder p="md" component="section" aria-label="Try it">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === null) call.mutate()
        }}
      >
        <Stack gap="sm">
          <Title order={3}>Try it</Title>
          <Text size="sm" c="dimmed">
            {writes
              ? 'It is carried out on this installation, with your permissions, and changes data.'
              : 'It is carried out on this installation, with your permissions.'}
          </Text>
          <Textarea
            label="Request body"
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
            autosize
            minRows={3}
            maxRows={20}
            spellCheck={false}
            error={problem}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
          />
          <Group gap="xs">
            <Button
              type="submit"
              loading={call.isPending}
              disabled={problem !== null}
              leftSection={<IconPlayerPlay size={16} />}
              {...(writes ? { color: 'red.8' } : {})}
            >
              {writes ? 'Send and change data' : 'Send'}
            </Button>
            <CopyButton
              text={curlOf(window.location.origin, name, body)}
              what="the call"
              label="Copy as curl"
            />
          </Group>
          {call.error && <FailureNotice error={call.error} />}
          {call.data && <AnswerView answer={call.data} />}
        </Stack>
      </form>
    </Paper>
  )
}

function AnswerView({ answer: { status, milliseconds, text } }: { answer: Answer }) {
  return (
    <div>
      <Group gap="xs" mb={4} role="status">
        <Tag tone={status < 300 ? 'green' : 'red'}>Status {status}</Tag>
        <Text size="sm" c="dimmed">
          {milliseconds} ms, {text.length} characters
        </Text>
      </Group>
      <CodeBlock text={text === '' ? '(no body)' : text} label="Answer" pretty />
    </div>
  )
}
