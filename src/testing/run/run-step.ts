import { Failure } from '../../kit/index.ts'
import { type Condition, MessageView } from '../../rules/index.ts'
import {
  type AttemptEnvironment,
  attemptFault,
  buildAttempts,
  isSameOnWire,
  type RequestDraft,
} from '../attempts/index.ts'
import type { Step } from '../template/index.ts'
import { answeredObject } from './answered-object.ts'
import { confirm, removesIdentity } from './confirm.ts'
import { type JudgedAttempt, judge, type Trial } from './judge.ts'
import { isGuardedBySecret } from './own-secret.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { reacts } from './reaction.ts'
import { type SendObstacle, sendFailure, sendObstacle } from './send-failure.ts'
import { provideStep } from './step-statistics.ts'

/** Why a step proves nothing. */
interface StepObstacle {
  readonly code: 'NO_API_REQUEST' | 'ATTACK_NOT_PROCESSED' | SendObstacle
  readonly text: string
  /** The step only found nothing to change in the request. */
  readonly isUnchanged?: true
}

/** What one step of a test came to. */
export interface StepOutcome {
  readonly attempts: readonly AttemptRecord[]
  /** An attempt validated. */
  readonly validates: boolean
  /** Control of the attempt that validated; null when none was asked for or none validated. */
  readonly control: ControlRecord | null
  /** Why attempts that did not validate prove nothing: one could not be built as meant, or got no answer. */
  readonly obstacle: StepObstacle | null
}

/** Control of a step: as its operations demand, by repetition (an earlier step is what it differs from), or none. */
export type StepControl = 'by operations' | 'again' | 'none'

/** Failures that end the whole test instead of one attempt. */
const ENDS_TEST = new Set(['SEND_STOPPED', 'PATTERN_OVER_BUDGET'])

/**
 * Builds, sends and judges the attempts of a step in order, and stops at the first that validates. A request that is
 * not the attack that the step means is not sent; without a positive, the step then has no verdict.
 *
 * @param options.control how a positive is put to its control
 * @throws Failure SEND_STOPPED when the run ended meanwhile, PATTERN_OVER_BUDGET when an answer could not be judged
 */
export async function runStep(
  trial: Trial,
  step: Step,
  condition: Condition,
  options: { control: StepControl },
): Promise<StepOutcome> {
  const attempts: AttemptRecord[] = []
  let obstacle: StepOutcome['obstacle'] = null
  const environment = trial.tools.environmentFor(trial.template, trial.endpoint, trial.variables)
  const list = buildAttempts(step, trial.start, environment)
  for (const built of list) {
    if ('failure' in built)
      return { ...NOTHING, attempts, obstacle: { code: 'NO_API_REQUEST', text: notBuilt(built.failure) } }
    const fault = faultOf(trial, step, built.draft, environment)
    if (fault !== null) {
      if (fault !== UNCHANGED) obstacle ??= { code: 'NO_API_REQUEST', text: notBuilt(fault) }
      continue
    }
    try {
      const isFirst = attempts.length === 0 && trial.place !== undefined
      // Measured steps and those that repeat them are sent for themselves.
      const mayShare = isFirst && trial.template.execute.type === 'single'
      let judged = await judge(trial, step, built.draft, condition, {
        captures: true,
        mayShare,
        earlier: attacksOf(attempts),
      })
      const refuted = judged.record.validates ? await refutation(trial, step, judged) : null
      if (refuted !== null) judged = { ...judged, record: { ...judged.record, validates: false } }
      obstacle ??= refuted?.obstacle ?? null
      attempts.push(judged.record)
      if (judged.later !== null) attempts.push(judged.later)
      if (!judged.record.validates) {
        if (isFirst && list.count > 1 && !(await isOpen(trial, judged.record))) {
          trial.place!.position.isCut = true
          break
        }
        continue
      }
      provideStep(trial.variables, step.name, attacksOf(attempts))
      const control =
        options.control === 'none' ? null : await controlOf(trial, step, judged, condition, options)
      return { attempts, validates: true, control, obstacle: null }
    } catch (error) {
      if (!(error instanceof Failure) || ENDS_TEST.has(error.code)) throw error
      obstacle ??= { code: sendObstacle(error), text: sendFailure(error) }
    }
  }
  provideStep(trial.variables, step.name, attacksOf(attempts))
  if (attempts.length === 0)
    obstacle ??= { code: 'NO_API_REQUEST', text: notBuilt(UNCHANGED), isUnchanged: true }
  return { attempts, validates: false, control: null, obstacle }
}

/** The reason that a request would be the original one. */
const UNCHANGED = 'nothing in the recorded request can be changed as the test needs'

function notBuilt(reason: string): string {
  return `The attack request could not be built: ${reason}.`
}

/** Why a built request is not the attack; null when it is. */
function faultOf(
  trial: Trial,
  step: Step,
  draft: RequestDraft,
  environment: AttemptEnvironment,
): string | null {
  const fault = attemptFault(step, draft, trial.start, environment)
  if (fault !== null || step.sendsUnchanged) return fault
  const edit = (one: RequestDraft): RequestDraft => trial.tools.editOf?.(one) ?? one
  return isSameOnWire(draft, trial.start, edit) ? UNCHANGED : null
}

/**
 * Why a positive proves nothing, with an obstacle where no negative either; null when nothing speaks against it.
 *
 * @throws Failure a code of the sender
 */
async function refutation(
  trial: Trial,
  step: Step,
  { draft, record }: JudgedAttempt,
): Promise<Pick<StepOutcome, 'obstacle'> | null> {
  if (removesIdentity(step) && (await isGuardedBySecret(trial, draft))) return { obstacle: null }
  const answered = await answeredObject(trial, record.exchange)
  if (answered === null || answered.is === 'same') return null
  const isUnclear = answered.is === 'unclear'
  return { obstacle: isUnclear ? { code: 'ATTACK_NOT_PROCESSED', text: MAY_BE_ANOTHER } : null }
}

const MAY_BE_ANOTHER =
  "The answer below the attacker's own parent repeats only a part of the object, so it does not show whether it is the same one."

/** Whether a position gets the payloads behind the first. */
async function isOpen(trial: Trial, { exchange }: AttemptRecord): Promise<boolean> {
  const { position } = trial.place!
  position.isOpen ||= await reacts(trial, position, new MessageView(exchange))
  return position.isOpen
}

/** The control of a positive; null when it got no answer, which leaves the positive unconfirmed. */
async function controlOf(
  trial: Trial,
  step: Step,
  positive: JudgedAttempt,
  condition: Condition,
  { control }: { control: StepControl },
): Promise<ControlRecord | null> {
  try {
    return await confirm(trial, step, positive, condition, control === 'again' ? 'again' : undefined)
  } catch (error) {
    if (!(error instanceof Failure) || ENDS_TEST.has(error.code)) throw error
    return null
  }
}

/** Attempts without the reads behind them. */
export function attacksOf(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.filter(({ isLaterRead }) => isLaterRead !== true)
}

const NOTHING = { validates: false, control: null } as const
