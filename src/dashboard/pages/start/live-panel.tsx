import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconInfoCircle, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { FailureNotice } from '../../components/feedback/failure-notice.tsx'
import { FreshSecret } from '../../components/fresh-secret.tsx'
import { useWrite } from '../../data/use-operation.ts'
import { ArrivedToday } from './arrived-today.tsx'
import { RecipeSteps } from './recipe-steps.tsx'

/** Live traffic: a key, what the source needs with this server's address, and what has arrived. */
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
          Sending traffic requires an API key. It acts with your permissions; keep it like a password. Keys
          are listed and deleted under{' '}
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
              label="Or enter one you have"
              value={typedKey}
              onChange={(event) => setTypedKey(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              w={320}
              maw="100%"
            />
          </Group>
        )}
        {create.error && <FailureNotice error={create.error} />}
      </section>
      <RecipeSteps server={origin} apiKey={key} />
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
