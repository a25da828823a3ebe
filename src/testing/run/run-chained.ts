import type { Condition } from '../../rules/index.ts'
import type { Step } from '../template/index.ts'
import { DependencyChain } from './dependency-chain.ts'
import type { Trial } from './judge.ts'
import { runStep, type StepControl, type StepOutcome } from './run-step.ts'

/** The trial of a graph plan, which follows the dependencies between the requests of its collection. */
export function withChain(trial: Trial): Trial {
  return { ...trial, chain: new DependencyChain(trial.endpoint, trial.tools, trial.template.id) }
}

/**
 * A step of a flow; in a graph plan from a start that is made current first, or, when its first operation is
 * `api: get_asset_api`, from the request that reads the asset.
 */
export async function runChained(trial: Trial, step: Step, control: StepControl): Promise<StepOutcome> {
  const { chain } = trial
  if (chain === undefined) return runTemplateStep(trial, step, control)
  const [first, ...others] = step.operations
  const readsAsset = first?.kind === 'operation' && first.name === 'api'
  const own = trial.sample.exchange
  const sample = readsAsset ? chain.readerOf(own) : own
  // Without a reader the operation stays, and says so.
  if (sample === null) return runTemplateStep(trial, step, control)
  const start = await chain.startOf(sample)
  // The asset itself is what such a step is after: its request is sent even as it is.
  const begun = readsAsset ? { ...step, operations: others, sendsUnchanged: others.length === 0 } : step
  const outcome = await runTemplateStep({ ...trial, start }, begun, control)
  const last = outcome.attempts.at(-1)
  if (last !== undefined) chain.note(sample, last.exchange)
  return outcome
}

/** A step, or the first step of the test that it names instead of operations. */
function runTemplateStep(trial: Trial, step: Step, control: StepControl): Promise<StepOutcome> {
  const named = step.testName === null ? null : trial.tools.templateOf(step.testName)
  if (named === null) return runStep(trial, step, conditionOf(trial, step), { control })
  const borrowed = { ...named.execute.steps[0]!, name: step.name }
  const condition = step.validate ?? borrowed.validate ?? named.validate
  return runStep(trial, borrowed, condition ?? conditionOf(trial, step), { control })
}

function conditionOf(trial: Trial, step: Step): Condition {
  return step.validate ?? trial.template.validate!
}
