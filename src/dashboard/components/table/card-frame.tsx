import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { moveBetweenRows } from './row-keys.ts'
import { ScrollFrame } from './scroll-frame.tsx'

interface CardFrameProps {
  readonly label: string
  /** The box around the table has room at its sides; else the outer cells of the table get that room. */
  readonly inset?: boolean
  readonly children: ReactNode
}

/**
 * A table that is written by hand: scrolls sideways, and on phones its rows are cards of the cells' data-label. The keys
 * j, k and the arrows move between its rows.
 */
export function CardFrame({ label, inset = false, children }: CardFrameProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the links of the rows
    <div className={classes['frame']} data-edge={inset ? 'none' : 'wide'} onKeyDown={moveBetweenRows}>
      <ScrollFrame label={label}>{children}</ScrollFrame>
    </div>
  )
}
