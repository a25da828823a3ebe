import type { Condition, ConditionNode } from './node.ts'

const known = new WeakMap<Condition, boolean>()

/** Whether a condition asks what an object holds after a write, so that it must be read. */
export function asksStored(condition: Condition): boolean {
  const asked = known.get(condition)
  if (asked !== undefined) return asked
  const found = asksTerm(condition.root, 'stored_')
  known.set(condition, found)
  return found
}

/** Whether a condition has a term whose name begins with a text. */
export function asksTerm(node: ConditionNode, start: string): boolean {
  if (node.kind === 'term' && node.term.name.startsWith(start)) return true
  return 'children' in node && node.children.some((child) => asksTerm(child, start))
}
