import { Failure } from '../../kit/index.ts'
import type { ApplyResult } from '../modifications/modification.ts'
import type { Operation, Step } from '../template/template.ts'
import type { Attempt, AttemptList, NoAttempt } from './attempt.ts'
import { MAX_ATTEMPTS_PER_STEP } from './attempt.ts'
import type { AttemptEnvironment } from './environment.ts'
import { expandLoops } from './expand-loops.ts'
import type { RequestDraft } from './request-draft.ts'
import type { ArgumentList } from './resolve-argument.ts'
import { resolveArgument, tooMany } from './resolve-argument.ts'
import { sameRequest } from './same-request.ts'

/** An operation with the values that it takes in turn. */
interface ResolvedOperation {
  readonly operation: Operation
  readonly keys: ArgumentList
  readonly values: ArgumentList | null
}

/**
 * The attempts of a step (language section 6.3). Operations are resolved one after another, so that each sees the
 * variables set by those before it; their values go side by side, shorter lists cycling. When any operation fails for
 * any attempt, there is none. Attempts equal to the starting request are left out, except those of a step that sends the
 * sample itself.
 *
 * Calling it registers callback ids; iterating has no effects, and may be repeated.
 */
export function buildAttempts(step: Step, start: RequestDraft, environment: AttemptEnvironment): AttemptList {
  try {
    const operations = expandLoops(step.operations, environment.variables)
    if ('failure' in operations) return failed(operations.failure)
    const resolved = resolveAll(operations, step, environment)
    if ('failure' in resolved) return failed(resolved.failure)
    const build = (index: number): Attempt | NoAttempt | null =>
      attemptAt(resolved.operations, step, index, start, environment)
    if (operations.some(({ modification }) => modification.canFail)) {
      for (let index = 0; index < resolved.count; index++) {
        const attempt = build(index)
        if (attempt !== null && 'failure' in attempt) return failed(attempt.failure)
      }
    }
    return new LazyAttempts(resolved.count, build, step.sendsUnchanged ? null : start)
  } catch (error) {
    if (error instanceof Failure && error.code === 'TEMPLATE_TOO_MANY_COMBINATIONS')
      return failed(
        `the step has ${error.details['count']} combinations; at most ${MAX_ATTEMPTS_PER_STEP} are sent`,
      )
    throw error
  }
}

function failed(failure: string): AttemptList {
  return { count: 0, [Symbol.iterator]: () => [{ failure }].values() }
}

class LazyAttempts implements AttemptList {
  readonly count: number
  readonly #build: (index: number) => Attempt | NoAttempt | null
  readonly #start: RequestDraft | null

  /**
   * @param build null: there is no such attempt
   * @param start request that attempts must differ from; null for none
   */
  constructor(
    count: number,
    build: (index: number) => Attempt | NoAttempt | null,
    start: RequestDraft | null,
  ) {
    this.count = count
    this.#build = build
    this.#start = start
  }

  *[Symbol.iterator](): Generator<Attempt | NoAttempt> {
    for (let index = 0; index < this.count; index++) {
      const attempt = this.#build(index)
      if (attempt === null) continue
      const isUnchanged =
        this.#start !== null && 'draft' in attempt && sameRequest(attempt.draft, this.#start)
      if (!isUnchanged) yield attempt
    }
  }
}

function resolveAll(
  operations: readonly Operation[],
  step: Step,
  environment: AttemptEnvironment,
): { operations: ResolvedOperation[]; count: number } | NoAttempt {
  const { variables } = environment
  const resolved: ResolvedOperation[] = []
  let count = 1
  let prepared = 0
  for (const operation of operations) {
    const keys = resolveArgument(operation.key, variables, step.captures)
    const values =
      operation.value === undefined ? null : resolveArgument(operation.value, variables, step.captures)
    if (keys.length === 0 || values?.length === 0)
      return { failure: `${operation.name} has no value to use: a list it names is empty` }
    resolved.push({ operation, keys, values })
    const own = countOf(keys, values, step.forEachCombination)
    if (own > MAX_ATTEMPTS_PER_STEP) throw tooMany(own)
    count = Math.max(count, own)
    const isNew = operation.modification.prepare !== undefined
    const failure = prepare(resolved, isNew ? resolved.length - 1 : null, prepared, count, environment)
    if (failure !== null) return { failure }
    prepared = count
  }
  return { operations: resolved, count }
}

/** Prepares the newest operation for all attempts so far, and the earlier ones for those that it added. */
function prepare(
  resolved: readonly ResolvedOperation[],
  newest: number | null,
  from: number,
  count: number,
  environment: AttemptEnvironment,
): string | null {
  for (const [position, { operation, keys, values }] of resolved.entries()) {
    if (operation.modification.prepare === undefined) continue
    for (let index = position === newest ? 0 : from; index < count; index++) {
      const value = values === null ? undefined : values.at(index % values.length)
      const failure = operation.modification.prepare(keys.at(index % keys.length), value, environment)
      if (failure !== null) return failure
    }
  }
  return null
}

function countOf(keys: ArgumentList, values: ArgumentList | null, forEachCombination: boolean): number {
  if (values === null) return keys.length
  if (keys.length === 1) return values.length
  return forEachCombination ? keys.length * values.length : keys.length
}

function attemptAt(
  operations: readonly ResolvedOperation[],
  step: Step,
  index: number,
  start: RequestDraft,
  environment: AttemptEnvironment,
): Attempt | NoAttempt | null {
  const draft: RequestDraft = { ...start, followRedirects: step.followRedirects }
  for (const { operation, keys, values } of operations) {
    const isCombined = step.forEachCombination && keys.length > 1 && values !== null
    const key = keys.at((isCombined ? Math.floor(index / values.length) : index) % keys.length)
    const value = values === null ? undefined : values.at(index % values.length)
    const result: ApplyResult = operation.modification.apply(draft, key, value, environment)
    if (typeof result === 'object') return result
    if (result === 'left out') return null
  }
  return { index, draft }
}
