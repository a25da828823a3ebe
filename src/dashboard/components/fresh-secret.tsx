import { Alert, Code, Group, Stack, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { t } from '../i18n/translate.ts'
import { CopyButton } from './copy-button.tsx'

interface FreshSecretProps {
  readonly secret: string
  /** What it is, for the copy button: "the key". */
  readonly what: string
}

/** A secret that the server shows once: the text, a copy button, and the warning. */
export function FreshSecret({ secret, what }: FreshSecretProps) {
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code
          block
          flex={1}
          style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
          data-testid="fresh-secret"
        >
          {secret}
        </Code>
        <CopyButton text={secret} what={what} />
      </Group>
      <Alert color="yellow" icon={<IconEyeOff size={18} />} p="xs">
        <Text size="sm">{t('secret.copyNow')}</Text>
      </Alert>
    </Stack>
  )
}
