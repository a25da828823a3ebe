import { type Condition, comparesTimes, evaluate } from '../../rules/index.ts'
import type { Step } from '../template/index.ts'
import type { Doubt } from './absence.ts'
import type { Trial } from './judge.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import type { FoundPositions } from './positions.ts'
import { runChained, withChain } from './run-chained.ts'
import { runStep, type StepControl, type StepOutcome } from './run-step.ts'
import { alone } from './slow-answer.ts'
import { provideStep } from './step-statistics.ts'

/** Longest wait before a step, in seconds. */
const MAX_WAIT_SECONDS = 100

/** What the steps of a test came to. */
export interface FlowOutcome {
  readonly validates: boolean
  readonly attempts: readonly AttemptRecord[]
  readonly control: ControlRecord | null
  /** Why it came to no verdict; null with a positive, or a negative that was really tried. */
  readonly obstacle: (Doubt & { readonly isUnchanged?: true }) | null
  /** Decided only by the condition of the template, after the last step. */
  readonly isFinalCheck: boolean
  /** Why the object belongs to somebody else, as a sentence, where the attempts show it. */
  readonly ownership?: string
  /** Of a test that tries one position after another, and found nothing. */
  readonly tried?: FoundPositions
}

/** Runs the steps of a test by its type of execution. */
export function runFlow(trial: Trial): Promise<FlowOutcome> {
  const { type } = trial.template.execute
  if (type === 'multiple') return runMultiple(trial)
  if (type === 'graph') return runMultiple(withChain(trial))
  if (type === 'parallel') return runParallel(trial)
  return runSingle(trial)
}

/** Only the first step counts. */
async function runSingle(trial: Trial): Promise<FlowOutcome> {
  const step = trial.template.execute.steps[0]!
  const condition = step.validate ?? trial.template.validate!
  return { ...(await runStep(trial, step, condition, { control: 'by operations' })), isFinalCheck: false }
}

/** Every step on its own, at the same time; one that validates is enough. */
async function runParallel(trial: Trial): Promise<FlowOutcome> {
  const { steps } = trial.template.execute
  const outcomes = await Promise.all(
    steps.map(async (step) => {
      await pause(trial, step)
      return runStep(trial, step, step.validate ?? trial.template.validate!, { control: 'by operations' })
    }),
  )
  const attempts = outcomes.flatMap((outcome) => outcome.attempts)
  const positive = outcomes.find((outcome) => outcome.validates)
  return {
    validates: positive !== undefined,
    attempts,
    control: positive?.control ?? null,
    obstacle: positive === undefined ? obstacleOf(outcomes) : null,
    isFinalCheck: false,
  }
}

/**
 * Step after step, as `success` and `failure` lead; each starts from the sample. A verdict that rests on comparing
 * measured steps must come out the same a second time, one that rests on times also a third time, while no other test
 * repeats what takes long.
 */
async function runMultiple(trial: Trial): Promise<FlowOutcome> {
  const first = await runSteps(trial)
  if (!first.validates || !first.isFinalCheck) return first
  const second = comparesTimes(trial.template.validate!)
    ? await alone(trial.start, async () => {
        const next = await runAgain(trial)
        return next.validates ? runAgain(trial) : next
      })
    : await runAgain(trial)
  const control: ControlRecord = {
    kind: 'again',
    attempt: second.attempts.at(-1) ?? null,
    confirms: second.validates,
    explanation: second.validates
      ? 'All steps, run again, differ again as the test demands.'
      : 'All steps, run again, do not differ any more.',
  }
  return { ...first, control }
}

function runAgain(trial: Trial): Promise<FlowOutcome> {
  trial.chain?.forget()
  const { place } = trial
  const again = place === undefined ? {} : { place: { ...place, common: new Map() } }
  return runSteps({ ...trial, ...again, variables: trial.variables.clone() })
}

async function runSteps(trial: Trial): Promise<FlowOutcome> {
  const { steps } = trial.template.execute
  const attempts: AttemptRecord[] = []
  const visited = new Set<Step>()
  let control: ControlRecord | null = null
  const outcomes: StepOutcome[] = []
  let step: Step | undefined = steps[0]
  const end = (validates: boolean): FlowOutcome => ({
    validates,
    attempts,
    control: validates ? control : null,
    obstacle: validates ? null : obstacleOf(outcomes),
    isFinalCheck: false,
  })
  for (;;) {
    if (step === undefined || visited.has(step)) return end(false)
    visited.add(step)
    const known = trial.place?.common.get(step)
    const outcome = known ?? (await runNext(trial, step, controlOf(steps, step, visited.size === 1)))
    if (known === undefined) attempts.push(...outcome.attempts)
    else provideStep(trial.variables, step.name, known.attempts)
    control = outcome.control
    outcomes.push(outcome)
    if (outcome.obstacle !== null && attempts.length === 0 && step.failure === null) return end(false)
    const target = outcome.validates ? step.success : step.failure
    if (target === 'vulnerable') return end(true)
    if (target === 'exit') return end(false)
    if (target === 'untested') return { ...end(false), obstacle: obstacleOf(outcomes) ?? untested(outcome) }
    const index = steps.indexOf(step)
    const next = nextStep(steps, index, target, outcome.validates)
    if (next !== undefined) {
      step = next
      continue
    }
    const isLast = index + 1 >= steps.length
    const final = trial.template.validate
    if (final !== null && step.validate !== null && (outcome.validates || isLast)) {
      return {
        ...end(holdsWithoutAttempt(trial, final)),
        control: null,
        isFinalCheck: true,
      }
    }
    return end(outcome.validates)
  }
}

/** A step that the test rests on did not come out as it must. */
function untested({ attempts }: StepOutcome): Doubt {
  const last = attempts.at(-1)
  const answer = last === undefined ? 'no response' : `status ${last.exchange.response.status}`
  return {
    code: 'ATTACK_NOT_PROCESSED',
    text: `A request that the test compares with was not answered as it must be (${answer}), so the attack would prove nothing.`,
  }
}

/** A step, kept for the other positions when it is the same for all. */
async function runNext(trial: Trial, step: Step, control: StepControl): Promise<StepOutcome> {
  await pause(trial, step)
  const outcome = await runChained(trial, step, control)
  const { place, template } = trial
  if (place !== undefined && !concernsPosition(step, template.positions!.variable))
    place.common.set(step, outcome)
  return outcome
}

function concernsPosition({ operations }: Step, variable: string): boolean {
  return operations.some(
    (entry) => entry.kind === 'loop' || JSON.stringify([entry.key, entry.value ?? null]).includes(variable),
  )
}

/** What kept steps from a verdict; one that found nothing to change is not a loss beside others that were sent. */
function obstacleOf(outcomes: readonly StepOutcome[]): StepOutcome['obstacle'] {
  const obstacles = outcomes.flatMap(({ obstacle }) => (obstacle === null ? [] : [obstacle]))
  const isSent = outcomes.some(({ attempts }) => attempts.length > 0)
  return obstacles.find(({ isUnchanged }) => !(isSent && isUnchanged === true)) ?? null
}

/** Only a step that decides needs a control; behind others it is repeated, for they are what it differs from. */
function controlOf(steps: readonly Step[], step: Step, isFirst: boolean): StepControl {
  const leadsOn =
    step.success !== 'vulnerable' && nextStep(steps, steps.indexOf(step), step.success, true) !== undefined
  if (leadsOn) return 'none'
  return isFirst ? 'by operations' : 'again'
}

/** Where the flow continues; undefined ends it. */
function nextStep(
  steps: readonly Step[],
  index: number,
  target: string | null,
  validates: boolean,
): Step | undefined {
  if (target !== null) return steps.find((candidate) => candidate.name === target)
  return validates ? steps[index + 1] : undefined
}

/** The condition of the template with no attempt at hand: only comparisons of variables and callbacks can hold. */
function holdsWithoutAttempt(trial: Trial, condition: Condition): boolean {
  return evaluate(condition, {
    phase: 'validate',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: null,
    variables: trial.variables,
    lookups: trial.tools.lookups,
  }).holds
}

async function pause(trial: Trial, step: Step): Promise<void> {
  const seconds = Math.min(step.waitSeconds, MAX_WAIT_SECONDS)
  if (seconds > 0) await trial.tools.wait(seconds * 1000)
}
