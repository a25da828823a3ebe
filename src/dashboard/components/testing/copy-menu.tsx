import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../../data/save-file.ts'
import { CopyButton } from '../copy-button.tsx'
import { burpItems } from './burp-items.ts'
import { rawText } from './exchange-text.ts'
import type { EvidenceAttempt } from './read-evidence.ts'

/** The request of an attempt for other tools. */
export function CopyMenu({ attempt }: { attempt: EvidenceAttempt }) {
  const { exchange, curl } = attempt
  return (
    <Group gap={4}>
      {curl !== '' && <CopyButton text={curl} what="the request as a curl command" label="Copy as curl" />}
      {exchange !== null && (
        <>
          <CopyButton text={rawText(exchange.request)} what="the raw request" label="Copy raw" />
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            aria-label="Save request and answer for Burp"
            onClick={() => saveFile('vigil-burp-items.xml', burpItems([exchange]), 'application/xml')}
          >
            Burp
          </Button>
        </>
      )}
    </Group>
  )
}
