import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { usePageText } from '../i18n/use-page-text.ts'

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for the accessible name: "Copy <what>". */
  readonly what: string
  /** Shown on the button. */
  readonly label?: string
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, what, label: given }: CopyButtonProps) {
  const t = usePageText()
  const label = given ?? t('common.copy')
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      aria-label={clipboard.copied ? t('common.copiedWhat', { what }) : `${label}: ${what}`}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? t('common.copied') : label}
    </Button>
  )
}
