import type { DatumTest } from '../operators/operator.ts'
import type { Scalar, Variables } from '../variables/variables.ts'
import type { OperatorNode } from './node.ts'

/** Resolved operands of an operator, and what is asked of each datum with them. */
export interface Prepared {
  readonly operands: readonly Scalar[]
  readonly test: DatumTest
}

type Words = readonly string[]

/** The last preparation of an operator whose operands hold words of lists and nothing else that can change. */
const lastWith = new WeakMap<
  OperatorNode,
  { readonly lists: readonly Words[]; readonly prepared: Prepared }
>()

/** What was prepared with the same lists, or null. */
export function preparedWith(node: OperatorNode, variables: Variables): Prepared | null {
  const last = lastWith.get(node)
  if (last === undefined) return null
  const isSame = node.placeholders.every((name, i) => variables.words(name) === last.lists[i])
  return isSame ? last.prepared : null
}

/** Keeps what was prepared when it depends only on lists of words. */
export function remember(node: OperatorNode, variables: Variables, prepared: Prepared): void {
  const lists: Words[] = []
  for (const name of node.placeholders) {
    const words = variables.words(name)
    if (words === undefined || words.some((word) => word.includes('${'))) return
    lists.push(words)
  }
  if (lists.length > 0) lastWith.set(node, { lists, prepared })
}
