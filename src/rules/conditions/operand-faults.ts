import type { OperatorDefinition } from '../operators/operator.ts'
import { asInteger, asNumber } from '../operators/values.ts'
import type { Scalar } from '../variables/variables.ts'
import type { ConditionNode } from './node.ts'

/** What is wrong, or odd, with the operand of an operator of a filter of live traffic. */
interface OperandFault {
  readonly severity: 'error' | 'warning'
  /** What it is, and the remedy. */
  readonly message: string
}

const BOUNDS = new Set(['gt', 'gte', 'lt', 'lte'])
const EQUALITIES = new Set(['eq', 'neq'])
const HOLDINGS = new Set(['contains_all', 'contains_either', 'not_contains', 'not_contains_either'])
/** Terms whose values may be numbers; all others are texts. */
const TERMS_WITH_NUMBERS = new Set(['request_payload', 'response_payload', 'response_code'])

/**
 * What makes an operator hold of everything or of nothing, which nobody means. A pattern for everything (`.*`) may be
 * meant, for rules that count every call.
 */
export function operandFaults(
  { name, operands: kind }: OperatorDefinition,
  operands: readonly Scalar[],
  term: string | null,
): OperandFault[] {
  const error = (message: string): OperandFault[] => [{ severity: 'error', message }]
  if (operands.length === 0) return error(`${name} has nothing to compare with: give it a value.`)
  if ((kind === 'patterns' || HOLDINGS.has(name)) && operands.some((one) => String(one).trim() === ''))
    return error(`${name} has a blank text, which every text holds: write what is looked for.`)
  const noNumber = numberFault(name, operands, term)
  if (noNumber !== null) return error(noNumber)
  if ((EQUALITIES.has(name) || BOUNDS.has(name)) && operands.length > 1)
    return [
      {
        severity: 'warning',
        message: `${name} compares with the first value only: write the others below or, or and.`,
      },
    ]
  return []
}

/** Why an operator that compares numbers never holds: its operand is something else. Null when it is a number. */
export function numberFault(name: string, operands: readonly Scalar[], term: string | null): string | null {
  const given = String(operands[0])
  if (BOUNDS.has(name) && asNumber(operands[0]) === null)
    return `${name} compares numbers, and ${given} is not a number: write one.`
  if (EQUALITIES.has(name) && term === 'response_code' && asInteger(operands[0]) === null)
    return `response_code is a number, and ${given} is not a number: write one such as 200.`
  return null
}

/** Operands of a term whose values are texts: a number stands for its digits there. */
export function asWrittenFor(
  term: string | null,
  { name }: OperatorDefinition,
  operands: readonly Scalar[],
): readonly Scalar[] {
  if (term === null || TERMS_WITH_NUMBERS.has(term) || !EQUALITIES.has(name)) return operands
  return operands.map((operand) => (typeof operand === 'number' ? String(operand) : operand))
}

/**
 * Why bounds that stand side by side leave no number; null when they leave some. They have to be of one number: values
 * of a body are several, and each bound may hold of another.
 */
export function emptyRange(nodes: readonly ConditionNode[]): string | null {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  let isOpen = false
  for (const node of nodes) {
    if (node.kind !== 'operator' || !BOUNDS.has(node.operator.name)) continue
    const bound = asNumber(node.operands[0])
    if (bound === null) continue
    const isLower = node.operator.name.startsWith('g')
    const isTighter = isLower ? bound >= least : bound <= most
    if (!isTighter) continue
    if (isLower) least = bound
    else most = bound
    if (!node.operator.name.endsWith('e')) isOpen = true
  }
  if (least < most || (least === most && !isOpen)) return null
  return `No number is ${isOpen ? 'above' : 'at least'} ${least} and ${isOpen ? 'below' : 'at most'} ${most}: write the bounds the other way round, or below or.`
}
