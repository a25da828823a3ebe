import type { NamedValue } from '../messages/names.ts'
import type { Scalar } from '../variables/variables.ts'
import { decidingCondition } from './deciding-condition.ts'
import { MatchSeen } from './match-seen.ts'
import type { Matches } from './matches.ts'
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
  /** Why it does not hold, as one sentence without values of the message; empty when it holds. */
  readonly decision: string
}

/** What happened at a node, before it is put into words: one small object for each, as most are never read. */
export interface Outcome {
  readonly node: ConditionNode
  readonly holds: boolean
  readonly matches: Matches
  /** Resolved operands of an operator. */
  readonly operands: readonly Scalar[]
  /** The value that decided, a sentence, or the names that were looked at; undefined at inner nodes. */
  readonly observed: unknown
  readonly children: readonly Outcome[]
}

/** The names that an operator looked at, where none satisfied it. */
export class NamesSeen {
  readonly #names: readonly NamedValue[]

  constructor(names: readonly NamedValue[]) {
    this.#names = names
  }

  toString(): string {
    return namesText(this.#names.map(({ name }) => name))
  }
}

const MAX_NAMES = 10

function namesText(names: Iterable<string>): string {
  return [...new Set(names)].slice(0, MAX_NAMES).join(', ') || 'nothing to look at'
}

/** The judgement that an outcome stands for. */
export function judgementOf(outcome: Outcome): Judgement {
  return new LazyJudgement(outcome)
}

class LazyJudgement implements Judgement {
  readonly holds: boolean
  readonly #outcome: Outcome
  #reasons: Reason | null = null

  constructor(outcome: Outcome) {
    this.holds = outcome.holds
    this.#outcome = outcome
  }

  get reasons(): Reason {
    this.#reasons ??= reasonOf(this.#outcome)
    return this.#reasons
  }

  get decision(): string {
    return decidingCondition(this.#outcome)
  }
}

function reasonOf(outcome: Outcome): Reason {
  const { node, holds, observed } = outcome
  const children = outcome.children.map(reasonOf)
  const line = node.place.line
  const text = textOf(outcome)
  if (observed === undefined) return { text, holds, line, children }
  const seen = observed instanceof NamesSeen && holds ? namesText(outcome.matches?.keys() ?? []) : observed
  return { text, holds, observed: observedText(seen), line, children }
}

function textOf({ node, operands }: Outcome): string {
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
  if (typeof value === 'bigint' || value instanceof NamesSeen || value instanceof MatchSeen)
    return String(value)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > MAX_OBSERVED ? `${text.slice(0, MAX_OBSERVED)}…` : text
}
