import { Button, Code, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { session } from '../../session/use-session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

/** The server did not answer while the dashboard opened. */
export default function Unreachable({ reason }: { reason: string }) {
  return (
    <SignInFrame
      title="The server does not answer"
      lead="The dashboard was loaded, but its questions are not answered."
    >
      <Stack gap="sm">
        <Text size="sm">
          Check that the process runs (start it again with <Code>npm start</Code>) and that{' '}
          <Code>{window.location.origin}/health</Code> answers.
        </Text>
        <Text size="sm" c="dimmed">
          The browser says: {reason}
        </Text>
        <Button leftSection={<IconRefresh size={16} />} onClick={() => void session.start()}>
          Try again
        </Button>
      </Stack>
    </SignInFrame>
  )
}
