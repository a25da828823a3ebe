import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import classes from './condition-tree.module.css'
import type { Reason } from './read-evidence.ts'

/** A condition of a test, node by node, with the value that decided each. */
export function ConditionTree({ reason }: { reason: Reason }) {
  return (
    <ul className={classes['tree']} aria-label="Condition">
      <Node reason={reason} />
    </ul>
  )
}

function Node({ reason }: { reason: Reason }) {
  const Icon = reason.holds ? IconCheck : IconX
  return (
    <li>
      <span className={classes['node']} data-holds={reason.holds || undefined}>
        <Icon size={14} aria-hidden className={classes['mark']} />
        <VisuallyHidden>{reason.holds ? 'holds:' : 'does not hold:'} </VisuallyHidden>
        <code>{reason.text}</code>
        {reason.observed !== null && (
          <span className={classes['seen']}>saw {reason.observed || '(empty)'}</span>
        )}
        {reason.line > 0 && <span className={classes['line']}>line {reason.line}</span>}
      </span>
      {reason.children.length > 0 && (
        <ul>
          {reason.children.map((child, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of one condition never move
            <Node key={at} reason={child} />
          ))}
        </ul>
      )}
    </li>
  )
}
