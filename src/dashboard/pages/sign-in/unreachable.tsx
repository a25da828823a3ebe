import { Button, Code, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { session } from '../../session/use-session.ts'
import { SignInFrame } from './sign-in-frame.tsx'

/** The server did not answer while the dashboard opened. */
export default function Unreachable({ reason }: { reason: string }) {
  return (
    <SignInFrame title={t('failure.noAnswer')} lead={t('unreachable.lead')}>
      <Stack gap="sm">
        <Text size="sm">
          <RichText
            id="unreachable.check"
            values={{
              command: <Code>npm start</Code>,
              address: <Code>{window.location.origin}/health</Code>,
            }}
          />
        </Text>
        <Text size="sm" c="dimmed">
          {t('unreachable.reason', { reason })}
        </Text>
        <Text size="sm" role="status">
          {t('unreachable.retry')}
        </Text>
        <Button leftSection={<IconRefresh size={16} />} onClick={() => void session.start()}>
          {t('unreachable.now')}
        </Button>
      </Stack>
    </SignInFrame>
  )
}
