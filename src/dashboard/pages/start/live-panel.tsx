import { Alert, Anchor, Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconInfoCircle, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CodeBlock } from '../../components/code/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../components/fresh-secret.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { ArrivedToday } from './arrived-today.tsx'
import { batchCommand, sampleCommand } from './live-commands.ts'

/** Live traffic: a key, commands to paste with this server's address, and what has arrived. */
export function LivePanel() {
  const create = useWrite('addApiToken', ['fetchApiTokens'])
  const [typedKey, setTypedKey] = useState('')
  const made = create.data?.apiTokenList?.[0]
  const key = typedKey.trim() || made?.key || 'YOUR_API_KEY'
  const origin = window.location.origin
  return (
    <Stack gap="lg">
      <section aria-label="Key">
        <Title order={2} mb={4}>
          1. A key
        </Title>
        <Text size="sm" c="dimmed" mb="xs">
          Sending traffic requires an API key of kind EXTERNAL_API. It acts with your rights; keep it like a
          password. Keys are listed and deleted under{' '}
          <Anchor component={Link} to="/settings/keys" underline="always">
            API keys
          </Anchor>
          .
        </Text>
        {made ? (
          <FreshSecret secret={made.key} what="the key" />
        ) : (
          <Group align="flex-end">
            <Button
              leftSection={<IconKey size={16} />}
              loading={create.isPending}
              onClick={() => create.mutate({ tokenUtility: 'EXTERNAL_API', name: 'live traffic' })}
            >
              Create a key
            </Button>
            <TextInput
              label="or put in one you have"
              value={typedKey}
              onChange={(event) => setTypedKey(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              w={320}
            />
          </Group>
        )}
        {create.error && <FailureNotice error={create.error} />}
      </section>
      <section aria-label="One message">
        <CommandHead
          title="2. Send one message"
          text={sampleCommand(origin, key)}
          what="the command for one message"
        />
        <CodeBlock text={sampleCommand(origin, key)} label="Command for one message" />
      </section>
      <section aria-label="Whole batches">
        <CommandHead
          title="3. Send batches"
          text={batchCommand(origin, key)}
          what="the command for batches"
        />
        <CodeBlock text={batchCommand(origin, key)} label="Command for batches" />
        <List size="sm" c="dimmed" mt="xs" spacing={2}>
          <List.Item>
            Up to 10,000 messages per batch. The response is sent after they are stored durably.
          </List.Item>
          <List.Item>
            Messages go to the collection of their host header; a new host makes a new collection.
          </List.Item>
          <List.Item>
            Under load the server responds with 429 or 503 and Retry-After: send the same batch again.
          </List.Item>
        </List>
      </section>
      {origin.includes('127.0.0.1') || origin.includes('localhost') ? (
        <Alert icon={<IconInfoCircle size={18} />} variant="light">
          This server listens on this machine only. For senders elsewhere start it with VIGIL_HOST set to an
          address that they reach.
        </Alert>
      ) : null}
      <ArrivedToday />
    </Stack>
  )
}

function CommandHead({ title, text, what }: { title: string; text: string; what: string }) {
  return (
    <Group justify="space-between" mb={4}>
      <Title order={2}>{title}</Title>
      <CopyButton text={text} what={what} />
    </Group>
  )
}
