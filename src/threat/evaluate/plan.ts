import type { ConditionNode, DatumTest } from '../../rules/index.ts'
import type { HitLocation, ThreatMessage } from './hit.ts'
import type { Probe, ProbeUse } from './probe.ts'

/** A condition as it is evaluated: probes for what is looked for in texts, facts for what a message says on its own. */
export type Plan =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Plan[] }
  | { readonly kind: 'not'; readonly part: Plan }
  | ProbePlan
  | FactPlan
  | NamedPlan
  /** Judged on the message as it is sent, by the conditions of tests. */
  | { readonly kind: 'plain'; readonly node: ConditionNode; readonly location: HitLocation }

interface ProbePlan extends ProbeUse {
  readonly kind: 'probe'
}

export interface FactPlan {
  readonly kind: 'fact'
  readonly location: HitLocation
  /** Null: nothing holds of it. */
  readonly datum: (message: ThreatMessage) => string | number | null
  readonly test: DatumTest
}

/** `for_one` and `for_all`: a question to each named value of a part. */
export interface NamedPlan {
  readonly kind: 'named'
  readonly location: HitLocation
  readonly isForAll: boolean
  /** Leaves that are values, as bits of places. */
  readonly values: number
  /** Leaves that are names, where nothing is asked of the values; else 0. */
  readonly names: number
  readonly question: Question
}

/** What is asked of a named value. */
export type Question =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Question[] }
  | { readonly kind: 'name'; readonly test: DatumTest }
  /** Something is in the name. */
  | { readonly kind: 'name probe'; readonly probe: number; readonly isDenial: boolean }
  /** Some reading of the value satisfies, or where it is a denial, every reading. */
  | { readonly kind: 'value'; readonly test: DatumTest; readonly isDenial: boolean }
  | { readonly kind: 'probe'; readonly probe: number; readonly isDenial: boolean }

/**
 * Probes of which at least one has to be met for a plan to hold; null when it may hold without. A filter is evaluated
 * only where one of its triggers was met.
 */
export function triggersOf(plan: Plan, probes: readonly Probe[]): readonly number[] | null {
  switch (plan.kind) {
    case 'probe':
      return triggerOf(plan.probe, probes)
    case 'all':
      return fewest(plan.parts.map((part) => triggersOf(part, probes)))
    case 'any':
      return together(plan.parts.map((part) => triggersOf(part, probes)))
    case 'named':
      return triggersOfQuestion(plan.question, probes)
    default:
      return null
  }
}

function triggersOfQuestion(question: Question, probes: readonly Probe[]): readonly number[] | null {
  switch (question.kind) {
    case 'probe':
    case 'name probe':
      return question.isDenial ? null : triggerOf(question.probe, probes)
    case 'all':
      return fewest(question.parts.map((part) => triggersOfQuestion(part, probes)))
    case 'any':
      return together(question.parts.map((part) => triggersOfQuestion(part, probes)))
    default:
      return null
  }
}

function triggerOf(probe: number, probes: readonly Probe[]): readonly number[] | null {
  return probes[probe]!.clauses.length === 0 ? null : [probe]
}

function fewest(all: readonly (readonly number[] | null)[]): readonly number[] | null {
  let best: readonly number[] | null = null
  for (const triggers of all)
    if (triggers !== null && triggers.length < (best?.length ?? Infinity)) best = triggers
  return best
}

function together(all: readonly (readonly number[] | null)[]): readonly number[] | null {
  const union = new Set<number>()
  for (const triggers of all) {
    if (triggers === null) return null
    for (const trigger of triggers) union.add(trigger)
  }
  return [...union]
}

/**
 * The uses that a plan is a mere choice of, each to be met by its words first; null for every other plan. Most filters
 * are such, and hold as soon as anything that was met is there.
 */
export function choiceOf(plan: Plan, probes: readonly Probe[]): readonly ProbeUse[] | null {
  const uses = plan.kind === 'any' ? plan.parts : [plan]
  const isChoice = (part: Plan): part is ProbePlan =>
    part.kind === 'probe' && triggerOf(part.probe, probes) !== null
  return uses.length > 0 && uses.every(isChoice) ? uses : null
}

/** Places of the named values that a plan asks. */
export function placesIn(plan: Plan): number {
  if (plan.kind === 'all' || plan.kind === 'any')
    return plan.parts.reduce((all, part) => all | placesIn(part), 0)
  if (plan.kind === 'not') return placesIn(plan.part)
  return plan.kind === 'named' ? plan.values | plan.names : 0
}

/** Whether what a plan asks of named values of some places is only where something is met: all others may be missing. */
export function asksForMatches(plan: Plan, places: number): boolean {
  switch (plan.kind) {
    case 'all':
    case 'any':
      return plan.parts.every((part) => asksForMatches(part, places))
    case 'not':
      return asksForMatches(plan.part, places)
    case 'named':
      return ((plan.values | plan.names) & places) === 0 || (!plan.isForAll && needsMatch(plan.question))
    default:
      return true
  }
}

/** False where a question may be answered with yes of a value in which nothing is met. */
function needsMatch(question: Question): boolean {
  switch (question.kind) {
    case 'all':
      return question.parts.some(needsMatch)
    case 'any':
      return question.parts.every(needsMatch)
    case 'probe':
    case 'name probe':
      return !question.isDenial
    default:
      return false
  }
}
