import { Failure } from '../../kit/index.ts'
import type { SearchBudget } from './search-budget.ts'
import { WorkBudget } from './work-budget.ts'

/** Time that the patterns of one condition may take on one message, in milliseconds. */
const CONDITION_MS = 1_000
/** Steps of searches (instructions of a pattern times characters) between two looks at the clock: some milliseconds. */
const CLOCK_STEPS = 250_000
const MAX_TOLD = 80

let inForce: SearchBudget | null = null
let unchecked = 0

/** Lets all patterns that are searched for in `work` share a budget: the one in force, or else a new one. */
export function withinBudget<T>(work: () => T, budget: SearchBudget = presentBudget()): T {
  const before = inForce
  inForce = budget
  try {
    return work()
  } finally {
    inForce = before
  }
}

/** The budget that searches share; outside of {@link withinBudget} each search has its own. */
export function presentBudget(): SearchBudget {
  return inForce ?? new WorkBudget(CONDITION_MS)
}

/**
 * Counts steps of a search that looks at no clock itself.
 *
 * @throws Failure PATTERN_OVER_BUDGET when the time is over
 */
export function spend(budget: SearchBudget, steps: number, source: string): void {
  unchecked += steps
  if (unchecked >= CLOCK_STEPS) {
    unchecked = 0
    budget.check()
  }
  refuseSpent(budget, source)
}

/** @throws Failure PATTERN_OVER_BUDGET when the time is over: what was searched for is neither there nor absent */
export function refuseSpent(budget: SearchBudget, source: string): void {
  if (budget.isSpent) throw overBudget(source, 'exceeded its time budget')
}

/** A search that did not come to its end. */
export function overBudget(source: string, reason: string): Failure {
  const pattern = source.length > MAX_TOLD ? `${source.slice(0, MAX_TOLD)}…` : source
  return new Failure('PATTERN_OVER_BUDGET', { pattern, reason })
}
