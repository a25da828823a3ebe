import { Failure } from '../../kit/index.ts'
import type { Condition } from '../../rules/index.ts'
import { buildAttempts } from '../attempts/index.ts'
import type { Step } from '../template/index.ts'
import { confirm } from './confirm.ts'
import { type JudgedAttempt, judge, type Trial } from './judge.ts'
import type { AttemptRecord, ControlRecord } from './pair-result.ts'
import { provideStep } from './step-statistics.ts'

/** What one step of a test came to. */
export interface StepOutcome {
  readonly attempts: readonly AttemptRecord[]
  /** An attempt validated. */
  readonly validates: boolean
  /** Control of the attempt that validated; null when none was asked for or none validated. */
  readonly control: ControlRecord | null
  /** Why no attempt could be made or answered; null when at least one was answered. */
  readonly obstacle: { readonly code: 'NO_API_REQUEST' | 'API_REQUEST_FAILED'; readonly text: string } | null
}

/** Control of a step: as its operations demand, by repetition (an earlier step is what it differs from), or none. */
export type StepControl = 'by operations' | 'again' | 'none'

/** Failures of sending that end the whole test instead of one attempt. */
const ENDS_TEST = new Set(['SEND_STOPPED'])

/**
 * Builds, sends and judges the attempts of a step in order, and stops at the first that validates.
 *
 * @param options.control how a positive is put to its control
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function runStep(
  trial: Trial,
  step: Step,
  condition: Condition,
  options: { control: StepControl },
): Promise<StepOutcome> {
  const attempts: AttemptRecord[] = []
  let trouble: string | null = null
  const environment = trial.tools.environmentFor(trial.template, trial.endpoint, trial.variables)
  const list = buildAttempts(step, trial.start, environment)
  for (const built of list) {
    if ('failure' in built)
      return { ...NOTHING, attempts, obstacle: { code: 'NO_API_REQUEST', text: built.failure } }
    try {
      const judged = await judge(trial, step, built.draft, condition, { captures: true })
      attempts.push(judged.record)
      if (!judged.record.validates) continue
      provideStep(trial.variables, step.name, attempts)
      const control =
        options.control === 'none' ? null : await controlOf(trial, step, judged, condition, options)
      return { attempts, validates: true, control, obstacle: null }
    } catch (error) {
      if (!(error instanceof Failure) || ENDS_TEST.has(error.code)) throw error
      trouble = sentenceOf(error)
    }
  }
  provideStep(trial.variables, step.name, attempts)
  if (attempts.length > 0) return { attempts, validates: false, control: null, obstacle: null }
  const obstacle =
    trouble === null
      ? ({
          code: 'NO_API_REQUEST',
          text: 'nothing of the sample could be changed as the test wants',
        } as const)
      : ({ code: 'API_REQUEST_FAILED', text: trouble } as const)
  return { attempts, validates: false, control: null, obstacle }
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

const NOTHING = { validates: false, control: null } as const

/** A failure of sending as a sentence for the result; the details never hold secrets. */
function sentenceOf(error: Failure): string {
  const { host, reason } = error.details
  return [error.code, host, reason].filter((part) => part !== undefined && part !== null).join(': ')
}
