import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, type RefObject, useState } from 'react'
import { usePageText } from '../i18n/use-page-text.ts'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './feedback/failure-notice.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** Word on the button that does it. */
  readonly confirmLabel: string
  /** Must be typed before the button works; for what cannot be undone. */
  readonly typed?: string
  readonly busy: boolean
  readonly failure: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** As for {@link Dialog}. */
  readonly returnTo?: RefObject<HTMLElement | null> | undefined
}

/** Asks before something that cannot be undone. Mount it to open it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const t = usePageText()
  const { title, children, confirmLabel, typed, busy, failure, onConfirm, onClose, returnTo } = props
  const [answer, setAnswer] = useState('')
  const ready = typed === undefined || answer.trim() === typed
  return (
    <Dialog onClose={onClose} title={title} returnTo={returnTo}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) onConfirm()
        }}
      >
        <Stack>
          <Text component="div">{children}</Text>
          {typed !== undefined && (
            <TextInput
              label={t('dialog.typeToConfirm', { text: typed })}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {failure !== null && failure !== undefined && <FailureNotice error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color="red.8" loading={busy} disabled={!ready}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
