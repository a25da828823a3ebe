import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { evaluate, type Judgement, MessageView, type Reason, Variables } from '../../rules/index.ts'
import { ATTACKER_ROLE, draftOf } from '../attempts/index.ts'
import type { Template } from '../template/index.ts'
import { absenceDoubt, baselineDoubt, isAboutGuessing } from './absence.ts'
import { attackerDoubt } from './attacker-proof.ts'
import { isPublicAfterAll, passAuthentication } from './authentication-gate.ts'
import { isBlockPage } from './block-page.ts'
import { callersSentence } from './caller-name.ts'
import { opensToEverybody, sendsInvalidCredentials } from './confirm.ts'
import { exposureOf } from './exposure.ts'
import { findingCause } from './finding-cause.ts'
import { functionProof } from './function-proof.ts'
import { fieldsSentence } from './given-fields.ts'
import type { Trial } from './judge.ts'
import { type Obstacle, type Outcome, overBudgetSentence } from './outcome.ts'
import { ownershipOf } from './ownership.ts'
import type { AttemptRecord, ControlRecord, EndpointKey, PairResult } from './pair-result.ts'
import { parentProof } from './parent-proof.ts'
import { isProfile } from './profile.ts'
import { runFields } from './run-fields.ts'
import type { FlowOutcome } from './run-flow.ts'
import { runPositions, triedSentence } from './run-positions.ts'
import { attacksOf, runStep } from './run-step.ts'
import { sendFailure, sendObstacle } from './send-failure.ts'
import { severityOf } from './severity.ts'
import { actingRoles } from './test-callers.ts'
import type { RunTools } from './tools.ts'
import { unseenWriteDoubt } from './unseen-write.ts'

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
  const builder = new ResultBuilder(template, endpoint, startedAtMs)
  const exchange = tools.sampleOf(endpoint)
  if (exchange === null) return builder.obstructed('NO_PATH', 'The endpoint has no sample.', tools.nowMs())
  builder.baseline = exchange
  try {
    return await testPair(exchange, builder, template, endpoint, tools)
  } catch (error) {
    const overBudget = overBudgetSentence(error)
    if (overBudget !== null) return builder.obstructed('TEST_TIMED_OUT', overBudget, tools.nowMs())
    throw error
  }
}

/** @throws Failure SEND_STOPPED, PATTERN_OVER_BUDGET when it is not known whether a condition of the test holds */
async function testPair(
  exchange: Exchange,
  builder: ResultBuilder,
  template: Template,
  endpoint: EndpointKey,
  tools: RunTools,
): Promise<PairResult> {
  const sample = new MessageView(exchange)
  const variables = new Variables(tools.wordsFor(template, endpoint))
  builder.variables = variables
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
    builder.selection = selection.reasons
    return builder.obstructed('SKIPPING_EXECUTION_BECAUSE_FILTERS', selection.decision, tools.nowMs())
  }
  builder.severity = severityOf(trial)
  try {
    if (template.execute.type === 'passive')
      return builder.decided(withReader(trial, judgeSample(trial), builder), tools.nowMs())
    const fresh = await tools.freshAnswer(trial.endpoint, trial.start)
    if (fresh !== null && isLoginLost(trial, fresh))
      return builder.obstructed('NO_AUTH_TOKEN_FOUND', LOGIN_LOST, tools.nowMs())
    const current = fresh === null ? trial : freshTrial(trial, fresh)
    // Another caller proves nothing with a request that no longer works for its own.
    const stale = actingRoles(template).length === 0 ? null : baselineDoubt(current, fresh)
    if (stale !== null) return builder.obstructed(stale.code, stale.text, tools.nowMs())
    const refusal = await passAuthentication(current)
    if (refusal !== null) return builder.obstructed(refusal.code, refusal.text, tools.nowMs())
    tools.provideCaptured(template, endpoint, variables)
    const { fields } = template
    const ran = fields === null ? await runPositions(current) : await runFields(current, fields)
    const flow = await withParents(current, await settleCallbacks(current, ran), builder)
    const broader = isProven(flow) ? await broaderCause(current) : null
    if (broader !== null) return builder.covered(flow, broader, tools.nowMs())
    if (isProven(flow) && (await isOpenAfterAll(current, flow)))
      return builder.obstructed('SKIPPING_EXECUTION_BECAUSE_AUTH', PUBLIC, tools.nowMs())
    if (flow.validates) {
      const owned = await withOwnership(current, withExposure(current, flow, builder), builder)
      return builder.decided(await withFunction(current, owned, builder), tools.nowMs())
    }
    if (flow.obstacle !== null) return builder.decided(flow, tools.nowMs())
    const obstacle =
      (await absenceDoubt(current, attacksOf(flow.attempts), fresh)) ??
      unseenWriteDoubt(current, flow.attempts) ??
      (await attackerDoubt(current))
    return builder.decided({ ...flow, obstacle }, tools.nowMs())
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    if (overBudgetSentence(error) !== null) throw error
    return builder.obstructed(sendObstacle(error), sendFailure(error), tools.nowMs())
  }
}

/** A positive about an object, less severe where nothing shows whose it is, and none where all users share it. */
async function withOwnership(trial: Trial, flow: FlowOutcome, builder: ResultBuilder): Promise<FlowOutcome> {
  if (flow.control?.confirms !== true) return flow
  const proof = flow.attempts.findLast(({ validates }) => validates)
  const isSeenLater = flow.attempts.some(
    ({ storedState }) => storedState === 'as sent' || storedState === 'gone',
  )
  const ownership = await ownershipOf(trial, proof, isSeenLater)
  if (ownership === null) return flow
  if (ownership.control !== null) return { ...flow, control: ownership.control }
  const evidence = flow.ownership ?? ownership.evidence
  const { isListed, isMutual } = ownership
  const isPublic = proof !== undefined && isProfile(proof.exchange, trial.tools.lookups)
  if (evidence === '' || isListed || isPublic) builder.doubt()
  if (isMutual) builder.doubt()
  const reason = evidence === '' ? 'Nothing recorded shows whose object it is.' : evidence
  const explanation = `${flow.control.explanation} ${reason}${isMutual ? MUTUAL : isListed ? LISTED : ''}${isPublic ? PROFILE : ''}`
  return { ...flow, control: { ...flow.control, explanation } }
}

/** A positive about an object below another parent: none where it is shared, less severe where it may be. */
async function withParents(trial: Trial, flow: FlowOutcome, builder: ResultBuilder): Promise<FlowOutcome> {
  const proof = flow.attempts.findLast(({ validates }) => validates)
  const parents = isProven(flow) && proof !== undefined ? await parentProof(trial, proof) : null
  if (parents === null) return flow
  const control = flow.control!
  if (parents.is === 'shared')
    return { ...flow, control: { ...control, confirms: false, explanation: parents.text } }
  if (parents.is === 'proven') return { ...flow, ownership: parents.text }
  builder.doubt()
  return { ...flow, control: { ...control, explanation: `${control.explanation} ${parents.text}` } }
}

const LISTED =
  ' A list that the application shows to the attacker has an entry of that name, so other users may be meant to see it.'

const MUTUAL =
  ' Both users were recorded being shown the same objects in the list, so all users may be meant to read them.'

const PROFILE =
  ' It is a user, asked for by name, with nothing that people keep to themselves, so other users may be meant to see it.'

const PUBLIC = 'The endpoint gives the same answer without credentials: it is public.'

/** Whether invalid credentials are accepted only because none are needed. */
async function isOpenAfterAll(trial: Trial, { attempts }: FlowOutcome): Promise<boolean> {
  const proof = attempts.findLast(({ validates }) => validates)
  const isAboutInvalid = trial.template.execute.steps.some(sendsInvalidCredentials)
  if (proof === undefined || !isAboutInvalid) return false
  try {
    return await isPublicAfterAll(trial, proof.exchange)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    if (overBudgetSentence(error) !== null) throw error
    return false // without an answer, what is proven stays proven
  }
}

/** A positive about missing authentication, less severe where anonymous use may be intended. */
function withExposure(trial: Trial, flow: FlowOutcome, builder: ResultBuilder): FlowOutcome {
  const proof = flow.attempts.findLast(({ validates }) => validates)
  const isOpen = trial.template.execute.steps.some(opensToEverybody)
  if (!isOpen || proof === undefined || flow.control?.confirms !== true) return flow
  // The gate has shown that the endpoint itself refuses strangers, and the attack goes to another address.
  if (trial.template.auth?.authenticated === true) return flow
  const { steps, reason } = exposureOf(trial, proof)
  for (let step = 0; step < steps; step++) builder.doubt()
  return reason === ''
    ? flow
    : { ...flow, control: { ...flow.control, explanation: `${flow.control.explanation} ${reason}` } }
}

/** A positive about a function, less severe where little shows that it is one of administrators, and none where nothing does. */
async function withFunction(trial: Trial, flow: FlowOutcome, builder: ResultBuilder): Promise<FlowOutcome> {
  if (flow.control?.confirms !== true) return flow
  const isSeenGone = flow.attempts.some(({ storedState }) => storedState === 'gone')
  const proof = await functionProof(trial, isSeenGone)
  if (proof === null) return flow
  const { confidence, reason } = proof
  if (confidence === 'none')
    return { ...flow, control: { kind: 'use', attempt: null, confirms: false, explanation: reason } }
  if (confidence === 'weak') builder.doubt()
  return { ...flow, control: { ...flow.control, explanation: `${flow.control.explanation} ${reason}` } }
}

const LOGIN_LOST =
  'The recorded credentials are no longer accepted: record the endpoint again, or give the run a role that signs in.'

/** The endpoint refuses the recorded caller now, so that no answer would mean anything. */
function isLoginLost({ sample }: Trial, fresh: Exchange): boolean {
  const { status } = fresh.response
  const wasWelcome = sample.status >= 200 && sample.status < 400
  return wasWelcome && (status === 401 || status === 403) && !isBlockPage(fresh)
}

/** The trial judged against what the endpoint answers now instead of what was recorded once. */
function freshTrial(trial: Trial, fresh: Exchange): Trial {
  return Math.floor(fresh.response.status / 100) === Math.floor(trial.sample.status / 100)
    ? { ...trial, sample: new MessageView(fresh) }
    : trial
}

/** The judgement of a selection that does not hold; null when it does. Captures stay for the attempts. */
function select(trial: Trial): Judgement | null {
  const judgement = evaluate(trial.template.filters, {
    phase: 'filter',
    endpoint: trial.endpoint,
    sample: trial.sample,
    attempt: null,
    variables: trial.variables,
    lookups: trial.tools.lookups,
  })
  return judgement.holds ? null : judgement
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

/** A positive in what an administrator was answered, less severe: no ordinary user was recorded being answered it. */
function withReader({ sample, tools }: Trial, flow: FlowOutcome, builder: ResultBuilder): FlowOutcome {
  if (!flow.validates || flow.control === null || !tools.lookups.isFromAdministrator(sample)) return flow
  builder.doubt()
  return {
    ...flow,
    control: { ...flow.control, explanation: `${flow.control.explanation} ${ONLY_ADMINISTRATORS}` },
  }
}

const ONLY_ADMINISTRATORS = 'Only administrators were recorded being answered it, who may be meant to see it.'

function isProven({ validates, control, obstacle }: FlowOutcome): boolean {
  return validates && obstacle === null && control?.confirms === true
}

/** Twice: what switches something answers every second time alike. */
const BROADER_TRIES = 2

/**
 * The more general test that finds something on the endpoint too and so explains a finding; null when there is none in
 * the run, or it finds nothing.
 */
async function broaderCause(trial: Trial): Promise<Template | null> {
  const { within } = trial.template.cause
  const broader = within === null ? null : trial.tools.templateOf(within)
  const step = broader?.execute.steps[0]
  const condition = step?.validate ?? broader?.validate ?? null
  if (broader === null || step === undefined || condition === null) return null
  for (let attempt = 0; attempt < BROADER_TRIES; attempt++) {
    const { control } = await runStep({ ...trial, template: broader }, step, condition, {
      control: 'by operations',
    })
    if (control?.confirms === true) return broader
  }
  return null
}

/**
 * Waits for late callbacks of a test that registered some, and judges once more.
 */
async function settleCallbacks(trial: Trial, outcome: FlowOutcome): Promise<FlowOutcome> {
  const ids = callbackIdsOf(trial.variables)
  if (ids.length === 0 || trial.template.validate === null) return outcome
  const isHit = (id: string): boolean => trial.tools.lookups.callbackHits(id) > 0
  const proven = (): boolean => ids.some(isHit)
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
  if (!judgement.holds) return outcome
  // The request that carried the id is the proof, not the one that happened to be the last.
  const hits = ids.filter(isHit)
  const attempts = outcome.attempts.map((attempt) => {
    const sent = JSON.stringify(attempt.exchange.request)
    return hits.some((id) => sent.includes(id)) ? { ...attempt, validates: true } : attempt
  })
  return { ...outcome, attempts, validates: true, control }
}

function callbackIdsOf(variables: Variables): string[] {
  const ids = variables.get('random_uuid')
  if (Array.isArray(ids)) return ids.map(String)
  return typeof ids === 'string' ? [ids] : []
}

function passedText({ attempts: { length }, tried }: FlowOutcome): string {
  if (tried !== undefined) return triedSentence(tried, length)
  return length === 1
    ? 'The attempt was answered, and the answer does not show the weakness.'
    : `${length} attempts were answered, and no answer shows the weakness.`
}

/** What an answer without credentials gives, where that is what was found. */
function given({ attempts, control }: FlowOutcome): string {
  const proof = attempts.findLast(({ validates }) => validates)
  if (control?.kind !== 'elsewhere' || proof === undefined) return ''
  const fields = fieldsSentence(proof.exchange)
  return fields === '' ? '' : ` Without credentials anybody gets an answer${fields}.`
}

/** Collects what becomes the result. */
class ResultBuilder {
  readonly #template: Template
  readonly #endpoint: EndpointKey
  readonly #startedAtMs: number
  baseline: PairResult['baseline'] = null
  selection: Reason | null = null
  #isDoubted = false
  variables: Variables | null = null
  severity: PairResult['severity']

  constructor(template: Template, endpoint: EndpointKey, startedAtMs: number) {
    this.#template = template
    this.#endpoint = endpoint
    this.#startedAtMs = startedAtMs
    this.severity = template.info.severity === 'dynamic_severity' ? 'HIGH' : template.info.severity
  }

  /** Nothing that is not sure is graver than MEDIUM; with a second doubt, than LOW. */
  doubt(): void {
    if (this.severity === 'HIGH' || this.severity === 'CRITICAL') this.severity = 'MEDIUM'
    else if (this.#isDoubted && this.severity === 'MEDIUM') this.severity = 'LOW'
    this.#isDoubted = true
  }

  obstructed(outcome: Obstacle, explanation: string, endedAtMs: number): PairResult {
    return this.#result(outcome, explanation, { attempts: [], control: null }, endedAtMs)
  }

  covered(flow: FlowOutcome, { id, info }: Template, endedAtMs: number): PairResult {
    const text = `The attack works, and a more general weakness explains it: ${info.name} (${id}), which is reported instead.`
    return this.#result('COVERED_BY_BROADER_CAUSE', text, flow, endedAtMs)
  }

  decided(flow: FlowOutcome, endedAtMs: number): PairResult {
    if (flow.obstacle !== null) return this.#result(flow.obstacle.code, flow.obstacle.text, flow, endedAtMs)
    if (!flow.validates) {
      return this.#result('SECURE', this.#passedText(flow), flow, endedAtMs)
    }
    if (flow.control === null && !flow.isFinalCheck) {
      return this.#result('UNCONFIRMED', 'The positive could not be put to a control.', flow, endedAtMs)
    }
    if (flow.control !== null && !flow.control.confirms) {
      return this.#result('UNCONFIRMED', flow.control.explanation, flow, endedAtMs)
    }
    const text = flow.control?.explanation ?? 'The measured steps differ as the test demands.'
    return this.#result(
      'VULNERABLE',
      this.#guesses(flow) + this.#callers(flow) + text + given(flow),
      flow,
      endedAtMs,
    )
  }

  /** How many guesses a pass or a finding about guessing rests on. */
  #guesses({ attempts }: FlowOutcome): string {
    if (!isAboutGuessing(this.#template)) return ''
    return `${attacksOf(attempts).length} wrong secrets in a row were refused alike, with no limit, lock, captcha or delay. `
  }

  #passedText(flow: FlowOutcome): string {
    const attempts = attacksOf(flow.attempts)
    const at = attempts.findIndex(({ limit }) => limit !== undefined)
    return isAboutGuessing(this.#template) && at >= 0
      ? `A limit showed at attempt ${at + 1}: ${attempts[at]!.limit}.`
      : passedText({ ...flow, attempts })
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
      ...(outcome === 'VULNERABLE' ? { cause: findingCause(this.#template.cause, flow, this.baseline) } : {}),
      startedAtMs: this.#startedAtMs,
      endedAtMs,
    }
  }
}
