import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { moveBetweenRows } from './row-keys.ts'
import { ScrollFrame } from './scroll-frame.tsx'

/**
 * A table that is written by hand: scrolls sideways, and on phones its rows are cards of the cells' data-label. The keys
 * j, k and the arrows move between its rows.
 */
export function CardFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links of the rows
    <div className={classes['frame']} onKeyDown={moveBetweenRows}>
      <ScrollFrame label={label}>{children}</ScrollFrame>
    </div>
  )
}
