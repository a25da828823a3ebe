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
          Last failure: {reason}
        </Text>
        <Text size="sm" role="status">
          The dashboard keeps trying and opens once the server answers.
        </Text>
        <Button leftSection={<IconRefresh size={16} />} onClick={() => void session.start()}>
          Try now
        </Button>
      </Stack>
    </SignInFrame>
  )
}
