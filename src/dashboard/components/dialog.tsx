import { Modal } from '@mantine/core'
import { type ReactNode, type RefObject, useContext, useEffect, useState } from 'react'
import { PageLanguage } from '../i18n/page-language.ts'
import { usePageText } from '../i18n/use-page-text.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Width; that of a short form unless given. */
  readonly size?: 'lg' | 'xl'
  /** What gets the focus back; what had it when the dialog opened, unless given (a menu's item is gone by then). */
  readonly returnTo?: RefObject<HTMLElement | null> | undefined
}

/** A dialog that is open while it is mounted, and gives the focus back when it goes. */
export function Dialog({ title, onClose, children, returnTo, size }: DialogProps) {
  const t = usePageText()
  const language = useContext(PageLanguage)
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the focus trap of the dialog has let go.
      setTimeout(() => {
        // A dialog that took the place of this one keeps the focus.
        if (document.activeElement?.closest('[role="dialog"]')) return
        const target = returnTo?.current ?? before
        if (target instanceof HTMLElement && target.isConnected) target.focus()
      }, 0)
    },
    [before, returnTo],
  )
  return (
    <Modal
      opened
      lang={language}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
      {...(size === undefined ? {} : { size })}
    >
      {children}
    </Modal>
  )
}
