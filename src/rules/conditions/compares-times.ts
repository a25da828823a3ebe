import type { Condition, ConditionNode } from './node.ts'

/** Whether a condition compares how long steps took. */
export function comparesTimes(condition: Condition): boolean {
  return compares(condition.root)
}

function compares(node: ConditionNode): boolean {
  if (node.kind === 'compare')
    return node.operands.some((operand) => String(operand).includes('response_time'))
  return 'children' in node && node.children.some(compares)
}
