import {
  asksSlowed,
  asksStored,
  type Condition,
  evaluate,
  MessageView,
  percentage,
  type Variables,
} from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { Step, Template } from '../template/index.ts'
import { isAboutGuessing, isAboutLimits } from './absence.ts'
import type { DependencyChain } from './dependency-chain.ts'
import { limitInSeries, limitShown } from './limit-shown.ts'
import { passwordChange } from './new-password.ts'
import type { AttemptRecord, EndpointKey } from './pair-result.ts'
import type { PositionTrial } from './run-positions.ts'
import { isSlowed } from './slow-answer.ts'
import { type LaterRead, readStored } from './stored-state.ts'
import type { RunTools, SendToTarget, SentRequest } from './tools.ts'

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
  /** Of tests that try one position after another. */
  readonly place?: PositionTrial
  /** Of graph plans: makes the start of each step current. */
  readonly chain?: DependencyChain
}

/** A sent and judged attempt, with the draft it came from. */
export interface JudgedAttempt {
  readonly draft: RequestDraft
  readonly record: AttemptRecord
  /** The later read that the verdict rests on; null where none was asked for or is possible. */
  readonly later: AttemptRecord | null
  readonly laterRead: LaterRead | null
}

/**
 * Sends one request and judges its answer. A default page of the host never validates.
 * What an accepted write left is read where the condition asks for it.
 * @param options.captures false: what the condition would capture is thrown away, as for controls
 * @param options.mayShare an answer that another test got to the same request does as well
 * @param options.earlier attempts of the same step, for conditions on a series
 * @throws Failure a code of the sender
 */
export async function judge(
  trial: Trial,
  step: Step,
  attack: RequestDraft,
  condition: Condition,
  options: {
    captures: boolean
    mayShare?: boolean
    earlier?: readonly AttemptRecord[]
    /** Also what a refused request left as it was is read. */
    readsRefused?: boolean
    /** The URL was made up. */
    isInvented?: boolean
  },
): Promise<JudgedAttempt> {
  const { tools, template } = trial
  const change = passwordChange(trial, attack)
  const draft = change?.draft ?? attack
  const { followRedirects } = draft
  const mayShare = options.mayShare === true && change === null
  const sending: SendToTarget = {
    followRedirects,
    testId: template.id,
    endpoint: trial.endpoint,
    mayShare,
    guesses: isAboutGuessing(template),
    isInvented: options.isInvented === true,
    measuresTime: asksSlowed(condition),
    ...(change === null ? {} : { signIn: change.signIn }),
  }
  const sent = await tools.send(draft, sending)
  const view = new MessageView(sent.exchange)
  const isAccepted = sent.exchange.response.status < 400 || options.readsRefused === true
  const later = isAccepted && asksStored(condition) ? await readStored(trial, draft, sent.exchange) : null
  // Nobody waits for the password back longer than the proof takes.
  if (change !== null) await tools.undoWrites?.(template.id)
  const recorded = tools.sampleOf(trial.endpoint)
  const limit = isAboutLimits(template)
    ? limitInSeries(sent, options.earlier ?? [], recorded)
    : limitShown(sent.exchange, recorded)
  const judgement = evaluate(condition, {
    phase: 'validate',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: view,
    isLimited: limit !== null,
    isSlowed: asksSlowed(condition) && (await isSlowed(trial, { draft, sent }, sending, options.earlier)),
    stored: later === null ? null : new MessageView(later.shown),
    ...(later === null ? {} : { storedState: later.state }),
    variables: options.captures ? trial.variables : trial.variables.clone(),
    lookups: tools.lookups,
  })
  // What a limit answers in place of the function proves no weakness but the missing of limits.
  const isHidden = limit !== null && !isAboutLimits(template)
  const recordOf = (one: SentRequest, validates: boolean): AttemptRecord => ({
    step: step.name,
    exchange: one.exchange,
    validates,
    reasons: judgement.reasons,
    percentageMatch: Math.trunc(
      percentage(new MessageView(one.exchange).responseBody.text, trial.sample.responseBody.text),
    ),
    responseTimeMs: one.responseTimeMs,
    isTruncated: one.isTruncated,
  })
  return {
    draft,
    record: {
      ...recordOf(sent, judgement.holds && !isHidden && !tools.isDefaultPage(sent.exchange)),
      ...(limit === null ? {} : { limit }),
    },
    later:
      later === null ? null : { ...recordOf(later.sent, false), isLaterRead: true, storedState: later.state },
    laterRead: later,
  }
}
