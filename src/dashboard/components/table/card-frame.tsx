import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { ScrollFrame } from './scroll-frame.tsx'

/** A table that is written by hand: scrolls sideways, and on phones its rows are cards of the cells' data-label. */
export function CardFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['frame']}>
      <ScrollFrame label={label}>{children}</ScrollFrame>
    </div>
  )
}
