import type { Condition, ConditionNode } from './node.ts'

/** Whether a condition asks how much an answer has in common with that of the sample. */
export function comparesWithSample(condition: Condition): boolean {
  return compares(condition.root)
}

function compares(node: ConditionNode): boolean {
  if (node.kind === 'measure' && node.measure.startsWith('percentage_match')) return true
  return 'children' in node && node.children.some(compares)
}
