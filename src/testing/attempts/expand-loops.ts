import type { Variables } from '../../rules/index.ts'
import { isRecords } from '../../rules/index.ts'
import type { Literal, Loop, Operation, StepEntry } from '../template/template.ts'

const ITERATOR = '${iteratorKey}'
/** Most elements of a captured list that a loop runs over. */
const MAX_ELEMENTS = 200

/** The operations of a step with its loops written out, or why a loop cannot run. */
export function expandLoops(
  entries: readonly StepEntry[],
  variables: Variables,
): readonly Operation[] | { readonly failure: string } {
  const operations: Operation[] = []
  for (const entry of entries) {
    if (entry.kind === 'operation') {
      operations.push(entry)
      continue
    }
    const elements = elementsOf(entry, variables)
    if (elements === null) return { failure: `cannot loop: nothing was saved as ${entry.variable}` }
    for (const element of elements)
      for (const inner of entry.operations) operations.push(copyFor(inner, element))
  }
  return operations
}

/** Elements of the list that a loop runs over; null when there is none. */
export function elementsOf(loop: Pick<Loop, 'variable' | 'only'>, variables: Variables): string[] | null {
  const value = variables.get(loop.variable) ?? variables.words(loop.variable)
  if (value === undefined || value === null) return null
  const list = isRecords(value) ? value.records.map(({ key }) => key) : Array.isArray(value) ? value : [value]
  const elements = list.map(String).slice(0, loop.only === 'first' ? 1 : MAX_ELEMENTS)
  if (elements.length === 0 || (elements.length === 1 && /^\$\{[^}]*\}$/.test(elements[0]!))) return null
  return elements
}

function copyFor(operation: Operation, element: string): Operation {
  const key = filled(operation.key, element)
  if (operation.value === undefined) return { ...operation, key }
  const value = filled(operation.value, element)
  const isBare = typeof value === 'string' && !value.startsWith('${')
  return { ...operation, key, value: isBare ? `\${${value}}` : value }
}

function filled(argument: Literal, element: string): Literal {
  if (typeof argument === 'string') return argument.replaceAll(ITERATOR, () => element)
  if (typeof argument !== 'object' || argument === null) return argument
  if (Array.isArray(argument)) return argument.map((item: Literal) => filled(item, element))
  const map = Object.create(null) as Record<string, Literal>
  for (const [key, value] of Object.entries(argument))
    map[key.replaceAll(ITERATOR, () => element)] = filled(value, element)
  return map
}
