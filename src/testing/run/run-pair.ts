import { Failure } from '../../kit/index.ts'
import { evaluate, MessageView, type Reason, Variables } from '../../rules/index.ts'
import { ATTACKER_ROLE, draftOf } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import { passAuthentication } from './authentication-gate.ts'
import { callersSentence } from './caller-name.ts'
import type { Trial } from './judge.ts'
import type { Obstacle, Outcome } from './outcome.ts'
import type { AttemptRecord, ControlRecord, EndpointKey, PairResult } from './pair-result.ts'
import { type FlowOutcome, runFlow } from './run-flow.ts'
import { severityOf } from './severity.ts'
import type { RunTools } from './tools.ts'

/**
 * Runs one test on one endpoint, from its sample to a result with evidence: selection, authentication, attempts,
 * verdict, control. Whatever happens on the way to or in the target becomes the outcome; only the end of the run is
 * thrown.
 *
 * @throws Failure SEND_STOPPED when the run was stopped or is out of time: the pair has no result and may be repeated
 */
export async function runPair(
  template: Template,
  endpoint: EndpointKey,
  tools: RunTools,
): Promise<PairResult> {
  const startedAtMs = tools.nowMs()
  const sheet = new Sheet(template, endpoint, startedAtMs)
  const exchange = tools.sampleOf(endpoint)
  if (exchange === null) return sheet.obstructed('NO_PATH', 'The endpoint has no sample.', tools.nowMs())
  sheet.baseline = exchange
  const sample = new MessageView(exchange)
  const variables = new Variables(tools.wordsFor(template, endpoint))
  sheet.variables = variables
  const environment = tools.environmentFor(template, endpoint, variables)
  const trial: Trial = {
    template,
    endpoint,
    sample,
    start: tools.startOf?.(endpoint, exchange) ?? draftOf(exchange),
    variables,
    tools,
    credentialNames: environment.credentials.authHeaderNames,
  }
  const selection = select(trial)
  if (selection !== null) {
    sheet.selection = selection
    return sheet.obstructed(
      'SKIPPING_EXECUTION_BECAUSE_FILTERS',
      'The test does not apply to the endpoint.',
      tools.nowMs(),
    )
  }
  sheet.severity = severityOf(trial)
  try {
    if (template.execute.type === 'passive') return sheet.decided(judgeSample(trial), tools.nowMs())
    const current = await freshTrial(trial)
    if (current === null) return sheet.obstructed('NO_AUTH_TOKEN_FOUND', LOGIN_LOST, tools.nowMs())
    const refusal = await passAuthentication(current)
    if (refusal !== null) return sheet.obstructed(refusal.code, refusal.text, tools.nowMs())
    tools.provideCaptured(template, endpoint, variables)
    return sheet.decided(await settleCallbacks(current, await runFlow(current)), tools.nowMs())
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    return sheet.obstructed('API_REQUEST_FAILED', error.code, tools.nowMs())
  }
}

const LOGIN_LOST =
  'The recorded credentials are no longer accepted: record the endpoint again, or give the run a role that signs in.'

/**
 * The trial judged against what the endpoint answers now instead of what was recorded once; null when it refuses the
 * recorded caller, so that no answer would mean anything.
 */
async function freshTrial(trial: Trial): Promise<Trial | null> {
  const fresh = await trial.tools.freshAnswer(trial.endpoint, trial.start)
  if (fresh === null) return trial
  const { status } = fresh.response
  const wasWelcome = trial.sample.status >= 200 && trial.sample.status < 400
  if (wasWelcome && (status === 401 || status === 403)) return null
  return Math.floor(status / 100) === Math.floor(trial.sample.status / 100)
    ? { ...trial, sample: new MessageView(fresh) }
    : trial
}

/** Why the selection does not hold; null when it does. Captures stay for the attempts. */
function select(trial: Trial): Reason | null {
  const judgement = evaluate(trial.template.filters, {
    phase: 'filter',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: null,
    variables: trial.variables,
    lookups: trial.tools.lookups,
  })
  return judgement.holds ? null : judgement.reasons
}

/** A passive test sends nothing: the sample is judged as if it were the attempt. */
function judgeSample(trial: Trial): FlowOutcome {
  const judgement = evaluate(trial.template.validate!, {
    phase: 'validate',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: trial.sample,
    variables: trial.variables,
    lookups: trial.tools.lookups,
  })
  const record: AttemptRecord = {
    step: 'x1',
    exchange: trial.tools.sampleOf(trial.endpoint)!,
    validates: judgement.holds,
    reasons: judgement.reasons,
    percentageMatch: 100,
    responseTimeMs: 0,
    isTruncated: false,
  }
  const control: ControlRecord = {
    kind: 'again',
    attempt: null,
    confirms: true,
    explanation: 'The recorded answer itself shows it; nothing was sent.',
  }
  return { validates: judgement.holds, attempts: [record], control, obstacle: null, isFinalCheck: false }
}

/**
 * Waits for late call-backs of a test that registered some, and judges once more.
 */
async function settleCallbacks(trial: Trial, outcome: FlowOutcome): Promise<FlowOutcome> {
  const ids = callbackIdsOf(trial.variables)
  if (ids.length === 0 || trial.template.validate === null) return outcome
  const proven = (): boolean => ids.some((id) => trial.tools.lookups.callbackHits(id) > 0)
  const deadline = trial.tools.nowMs() + trial.tools.callbackPatienceMs
  while (!outcome.validates && !proven() && trial.tools.nowMs() < deadline) await trial.tools.wait(100)
  if (!proven()) return outcome
  const control: ControlRecord = {
    kind: 'callback',
    attempt: null,
    confirms: true,
    explanation: 'The target called back with an id that only this test carried.',
  }
  if (outcome.validates) return { ...outcome, control }
  const last = outcome.attempts.at(-1)
  const judgement = evaluate(trial.template.validate, {
    phase: 'validate',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: last === undefined ? null : new MessageView(last.exchange),
    variables: trial.variables,
    lookups: trial.tools.lookups,
  })
  return judgement.holds ? { ...outcome, validates: true, control } : outcome
}

function callbackIdsOf(variables: Variables): string[] {
  const ids = variables.get('random_uuid')
  if (Array.isArray(ids)) return ids.map(String)
  return typeof ids === 'string' ? [ids] : []
}

/** Collects what becomes the result. */
class Sheet {
  readonly #template: Template
  readonly #endpoint: EndpointKey
  readonly #startedAtMs: number
  baseline: PairResult['baseline'] = null
  selection: Reason | null = null
  variables: Variables | null = null
  severity: PairResult['severity']

  constructor(template: Template, endpoint: EndpointKey, startedAtMs: number) {
    this.#template = template
    this.#endpoint = endpoint
    this.#startedAtMs = startedAtMs
    this.severity = template.info.severity === 'dynamic_severity' ? 'HIGH' : template.info.severity
  }

  obstructed(outcome: Obstacle, explanation: string, endedAtMs: number): PairResult {
    return this.#result(outcome, explanation, { attempts: [], control: null }, endedAtMs)
  }

  decided(flow: FlowOutcome, endedAtMs: number): PairResult {
    if (flow.obstacle !== null) return this.#result(flow.obstacle.code, flow.obstacle.text, flow, endedAtMs)
    if (!flow.validates) {
      return this.#result('SECURE', `${flow.attempts.length} attempts, and none validated.`, flow, endedAtMs)
    }
    if (flow.control === null && !flow.isFinalCheck) {
      return this.#result('UNCONFIRMED', 'The positive could not be put to a control.', flow, endedAtMs)
    }
    if (flow.control !== null && !flow.control.confirms) {
      return this.#result('UNCONFIRMED', flow.control.explanation, flow, endedAtMs)
    }
    const text = flow.control?.explanation ?? 'The measured steps differ as the test demands.'
    return this.#result('VULNERABLE', this.#callers(flow) + text, flow, endedAtMs)
  }

  /** Whose request was repeated as whom, where the test acts as somebody. */
  #callers({ attempts }: FlowOutcome): string {
    const proof = attempts.find(({ validates }) => validates) ?? attempts.at(-1)
    const [role] = this.#roles()
    if (this.baseline === null || proof === undefined || role === undefined) return ''
    return callersSentence(
      this.baseline,
      proof.exchange,
      role === ATTACKER_ROLE ? 'the attacker' : `with the role ${role}`,
    )
  }

  #roles(): string[] {
    return this.#template.needs.flatMap((need) =>
      need.kind === 'role' ? [need.role] : need.kind === 'attacker' ? [ATTACKER_ROLE] : [],
    )
  }

  #result(
    outcome: Outcome,
    explanation: string,
    flow: Pick<FlowOutcome, 'attempts' | 'control'>,
    endedAtMs: number,
  ): PairResult {
    return {
      endpoint: this.#endpoint,
      testId: this.#template.id,
      category: this.#template.info.category.name,
      severity: this.severity,
      outcome,
      explanation,
      baseline: this.baseline,
      attempts: flow.attempts,
      control: flow.control,
      identities: this.#roles(),
      callbackIds: this.variables === null ? [] : callbackIdsOf(this.variables),
      selection: this.selection,
      startedAtMs: this.#startedAtMs,
      endedAtMs,
    }
  }
}
