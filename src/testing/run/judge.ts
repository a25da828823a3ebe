import { type Condition, evaluate, MessageView, percentage, type Variables } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { Step, Template } from '../template/index.ts'
import type { DependencyChain } from './dependency-chain.ts'
import type { AttemptRecord, EndpointKey } from './pair-result.ts'
import type { RunTools } from './tools.ts'

/** One test on one endpoint while it runs. */
export interface Trial {
  readonly template: Template
  readonly endpoint: EndpointKey
  readonly sample: MessageView
  /** The request that every step starts from. */
  readonly start: RequestDraft
  readonly variables: Variables
  readonly tools: RunTools
  /** Names of headers and cookies that carry credentials. */
  readonly credentialNames: readonly string[]
  /** Of graph plans: makes the start of each step current. */
  readonly chain?: DependencyChain
}

/** A sent and judged attempt, with the draft it came from. */
export interface JudgedAttempt {
  readonly draft: RequestDraft
  readonly record: AttemptRecord
}

/**
 * Sends one request and judges its answer. A default page of the host never validates.
 * @param options.captures false: what the condition would capture is thrown away, as for controls
 * @throws Failure a code of the sender
 */
export async function judge(
  trial: Trial,
  step: Step,
  draft: RequestDraft,
  condition: Condition,
  options: { captures: boolean },
): Promise<JudgedAttempt> {
  const { tools, template } = trial
  const sent = await tools.send(draft, { followRedirects: draft.followRedirects, testId: template.id })
  const view = new MessageView(sent.exchange)
  const judgement = evaluate(condition, {
    phase: 'validate',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: view,
    variables: options.captures ? trial.variables : trial.variables.clone(),
    lookups: tools.lookups,
  })
  return {
    draft,
    record: {
      step: step.name,
      exchange: sent.exchange,
      validates: judgement.holds && !tools.isDefaultPage(sent.exchange),
      reasons: judgement.reasons,
      percentageMatch: Math.trunc(percentage(view.responseBody.text, trial.sample.responseBody.text)),
      responseTimeMs: sent.responseTimeMs,
      isTruncated: sent.isTruncated,
    },
  }
}
