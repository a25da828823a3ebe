import type { Scalar } from '../variables/variables.ts'
import type { ConditionNode } from './node.ts'

/** Why a node of a condition held or not, for people and for evidence. */
export interface Reason {
  /** The node as it is written: `gte 200`. */
  readonly text: string
  readonly holds: boolean
  /** The value that decided, cut to 200 characters; absent for inner nodes. */
  readonly observed?: string
  /** Line of the template. */
  readonly line: number
  readonly children: readonly Reason[]
}

/** Whether a condition holds, and why. */
export interface Judgement {
  readonly holds: boolean
  /** Written out when it is asked for: most judgements need no explanation. */
  readonly reasons: Reason
}

/** What happened at a node, before it is put into words. */
export interface Trace {
  readonly node: ConditionNode
  readonly holds: boolean
  /** Resolved operands of an operator. */
  readonly operands?: readonly Scalar[]
  /** The value that decided, or a sentence. */
  readonly observed?: () => unknown
  readonly children: readonly Trace[]
}

/** The judgement that a trace stands for. */
export function judgementOf(trace: Trace): Judgement {
  let reasons: Reason | null = null
  return {
    holds: trace.holds,
    get reasons() {
      reasons ??= reasonOf(trace)
      return reasons
    },
  }
}

function reasonOf(trace: Trace): Reason {
  const { node, holds, observed } = trace
  const children = trace.children.map(reasonOf)
  const line = node.place.line
  const text = textOf(trace)
  return observed === undefined
    ? { text, holds, line, children }
    : { text, holds, observed: observedText(observed()), line, children }
}

function textOf({ node, operands = [] }: Trace): string {
  switch (node.kind) {
    case 'term':
      return node.term.name
    case 'measure':
      return node.measure
    case 'context':
      return node.context.name
    case 'operator':
      return `${node.operator.name} ${observedText(operands.length === 1 ? operands[0] : operands)}`
    case 'compare':
      return `${node.operands[0]} > ${node.operands[1]}`
    case 'callback':
      return 'ssrf_url_hit'
    case 'containers':
      return 'valueType'
    case 'extract':
      return `extract ${node.variable}`
    default:
      return node.name
  }
}

const MAX_OBSERVED = 200

/** A value as evidence: short. */
function observedText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_OBSERVED ? `${text.slice(0, MAX_OBSERVED)}…` : text
}
