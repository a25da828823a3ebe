import type { ReactNode } from 'react'
import classes from './tag.module.css'

/** Ink and tint of a {@link Tag}. */
export type TagTone = 'blue' | 'green' | 'orange' | 'violet' | 'red' | 'gray'

interface TagProps {
  readonly tone?: TagTone
  readonly children: ReactNode
  /** Set in the fixed-width font: wire names. */
  readonly code?: boolean
  readonly icon?: ReactNode
  readonly title?: string
  /** Long words break into lines, in narrow columns. */
  readonly wraps?: boolean
}

/** A short word on a tint; both schemes keep their contrast. */
export function Tag({ tone = 'gray', children, code = false, icon, title, wraps = false }: TagProps) {
  return (
    <span
      className={classes['tag']}
      data-tone={tone}
      data-code={code || undefined}
      data-wraps={wraps || undefined}
      title={title}
    >
      {icon}
      {children}
    </span>
  )
}
