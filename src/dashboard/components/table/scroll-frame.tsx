import type { ReactNode } from 'react'
import { usePageText } from '../../i18n/use-page-text.ts'
import classes from './scroll-frame.module.css'

/** Lets a wide table scroll sideways on its own; reachable by keyboard, as whatever scrolls must be. */
export function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  const t = usePageText()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes['frame']} aria-label={t('table.scrollable', { label })} tabIndex={0}>
      {children}
    </section>
  )
}
