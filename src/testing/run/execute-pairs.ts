import { Failure } from '../../kit/index.ts'
import { ATTACKER_ROLE } from '../attempts/index.ts'
import { recordTape } from '../evidence/record-tape.ts'
import type { PlannedPair } from '../plan/plan.ts'
import type { Template } from '../template/index.ts'
import { isConclusive, type Outcome } from './outcome.ts'
import { phaseOf } from './pair-phase.ts'
import { PairQueue, type QueuedPair } from './pair-queue.ts'
import type { EndpointKey, PairResult } from './pair-result.ts'
import type { RunGate } from './run-gate.ts'
import { runInSessions } from './run-in-sessions.ts'
import { runPair } from './run-pair.ts'
import { runSteadily } from './run-steadily.ts'
import { actingRoles, isAboutObjects } from './test-callers.ts'
import type { SessionTools } from './tools.ts'

/** Longest that one test may take on one endpoint. */
const PAIR_LIMIT_MS = 240_000
/** Part of it that recorded callers share: what they leave is for putting their results together. */
const SHARED_PART = 0.95
/** Results are written together, this many at the most … */
const WRITE_AT = 50
/** … or after this time. */
const WRITE_AFTER_MS = 500

/** How a list of pairs is worked off. */
interface ExecuteOptions {
  /** Tests that run at the same time, 1 to 500. */
  readonly concurrency: number
  /** Shared with other lists of the same execution: how many may run in all of them together. */
  readonly gate?: RunGate
  /** Keeps results permanently; called with each pair once, and again for the same ones after it failed. */
  readonly record: (results: readonly PairResult[]) => Promise<void>
  /** Tools for one pair, whose `signal` ends only that pair. */
  readonly toolsWith: (signal: AbortSignal) => SessionTools
  /** Aborted when the run was stopped or its time is up. */
  readonly signal: AbortSignal
  readonly templates: ReadonlyMap<string, Template>
  /** Longest that one test may take on one endpoint; four minutes unless given. */
  readonly pairLimitMs?: number
}

/**
 * Runs pairs until all have a result or the signal is aborted. A pair that was cut off by the signal has no result:
 * it is repeated when the run continues.
 *
 * @returns how many pairs got a result
 * @throws what `record` throws: the run cannot go on without its store
 */
export async function executePairs(pairs: readonly PlannedPair[], options: ExecuteOptions): Promise<number> {
  const queue = new PairQueue(
    pairs.map((pair) => ({ ...pair, ...phaseOf(options.templates.get(pair.testId), pair.endpoint) })),
  )
  const writer = new ResultWriter(options.record)
  let wake: () => void = () => {}
  let idle = Promise.resolve()
  const sleepUntilDone = (): Promise<void> => idle
  const renew = (): void => {
    idle = new Promise((resolve) => {
      wake = resolve
    })
  }
  renew()
  const work = async (): Promise<void> => {
    while (!options.signal.aborted && queue.waiting > 0 && writer.error === null) {
      await options.gate?.enter(options.signal)
      const pair = options.signal.aborted ? null : queue.take()
      if (pair === null) {
        options.gate?.leave()
        // Nothing waits any more, or what waits has a busy endpoint.
        if (queue.waiting > 0 && !options.signal.aborted) await sleepUntilDone()
        continue
      }
      try {
        const result = await runOne(pair, options)
        if (result !== null) await writer.add(result)
      } finally {
        queue.done(pair)
        options.gate?.leave()
        const waker = wake
        renew()
        waker()
      }
    }
  }
  const workers = Math.max(1, Math.min(options.concurrency, pairs.length))
  await Promise.all(Array.from({ length: workers }, work))
  await writer.end()
  return writer.written
}

/** A result, or null when the run ended under it. */
async function runOne(pair: QueuedPair, options: ExecuteOptions): Promise<PairResult | null> {
  const template = options.templates.get(pair.testId)
  if (template === undefined) return null
  const limitMs = options.pairLimitMs ?? PAIR_LIMIT_MS
  const limit = AbortSignal.timeout(limitMs)
  const tools = options.toolsWith(AbortSignal.any([options.signal, limit]))
  const startedAtMs = tools.nowMs()
  try {
    return await runOnSamples(template, pair.endpoint, tools, startedAtMs + limitMs * SHARED_PART)
  } catch (error) {
    if (options.signal.aborted) return null
    const isLate = limit.aborted
    const explanation = isLate
      ? `The test took longer than ${limitMs / 1000} s.`
      : `The test broke off: ${error instanceof Failure ? error.code : String(error)}`
    const outcome = isLate ? 'TEST_TIMED_OUT' : 'EXECUTION_FAILED'
    return { ...obstructed(template, pair.endpoint, tools, outcome, explanation), startedAtMs }
  } finally {
    await tools.undoWrites?.(pair.testId)
  }
}

function obstructed(
  { id, info }: Template,
  endpoint: EndpointKey,
  tools: SessionTools,
  outcome: Outcome,
  explanation: string,
): PairResult {
  return {
    endpoint,
    testId: id,
    category: info.category.name,
    severity: 'HIGH',
    outcome,
    explanation,
    baseline: tools.sampleOf(endpoint),
    attempts: [],
    control: null,
    identities: [],
    callbackIds: [],
    selection: null,
    startedAtMs: tools.nowMs(),
    endedAtMs: tools.nowMs(),
  }
}

/**
 * Runs a test on the samples of several callers in turn, until one gives a verdict: the credentials of a recorded caller
 * may be dead, or its object gone. A test about objects continues to the next caller after a negative verdict, for one
 * user's objects may be open where another's are not, and a test that sends nothing to the next recorded message. Callers
 * share the time of the test, so that one whose requests take long does not keep the others from being tried.
 */
async function runOnSamples(
  template: Template,
  endpoint: EndpointKey,
  tools: SessionTools,
  deadlineMs: number,
): Promise<PairResult> {
  const samples = tools.samplesFor(template, endpoint)
  if (samples.length === 0 && tools.sampleOf(endpoint) !== null)
    return obstructed(
      template,
      endpoint,
      tools,
      'NO_API_REQUEST',
      template.fields === null ? ONLY_OWN : ONLY_ADMIN,
    )
  const isDifferentBySample = isAboutObjects(template) || template.execute.type === 'passive'
  const isShared = isDifferentBySample && samples.length > 1
  const all = (samples.length === 0 ? [null] : samples).map((sample) => ({
    tools: sample === null ? tools : tools.withSample(endpoint, sample),
    hadMs: 0,
  }))
  let best: PairResult | null = null
  const run = async ({ tools: bound }: Turn, shareMs: number | null): Promise<'done' | 'late' | 'next'> => {
    const endsAtMs = shareMs === null ? null : tools.nowMs() + shareMs
    const result = await runAsSomebody(template, endpoint, bound, endsAtMs)
    if (best === null || rankOf(result) > rankOf(best)) best = result
    if (result.outcome === 'TEST_TIMED_OUT') return 'late'
    if (rankOf(result) === MOST || (isConclusive(result.outcome) && !isDifferentBySample)) return 'done'
    return isConclusive(result.outcome) || OF_SAMPLE.has(result.outcome) ? 'next' : 'done'
  }
  const leftMs = (): number | null => (isShared ? deadlineMs - tools.nowMs() : null)
  const late = await runTurns(all, run, leftMs)
  return withLate(best!, late, samples.length)
}

/** A recorded caller, and the time that it had when it last got no verdict. */
interface Turn {
  readonly tools: SessionTools
  readonly hadMs: number
}

/**
 * Runs a test as one caller after the other, in equal shares of the time left; those whose share was too short run again
 * if the others left them more.
 *
 * @param leftMs null: callers do not share time
 * @returns how many callers got no verdict in their time
 */
async function runTurns(
  turns: readonly Turn[],
  run: (turn: Turn, shareMs: number | null) => Promise<'done' | 'late' | 'next'>,
  leftMs: () => number | null,
  isAgain = false,
): Promise<number> {
  const late: Turn[] = []
  for (const [at, turn] of turns.entries()) {
    const left = leftMs()
    const shareMs = left === null ? null : left / (turns.length - at)
    const end = await run(turn, shareMs)
    if (end === 'late') late.push({ ...turn, hadMs: shareMs ?? Number.POSITIVE_INFINITY })
    // What ends a second pass leaves the callers from here on without a verdict, too.
    if (end === 'done') return late.length + (isAgain ? turns.length - at : 0)
  }
  const left = leftMs() ?? 0
  const isMore = late.length > 0 && late.every(({ hadMs }) => left / late.length > hadMs)
  return isMore ? runTurns(late, run, leftMs, true) : late.length
}

function withLate(best: PairResult, late: number, all: number): PairResult {
  return best.outcome === 'VULNERABLE' || best.outcome === 'TEST_TIMED_OUT' || late === 0
    ? best
    : { ...best, explanation: `${best.explanation} ${lateSentence(late, all)}` }
}

function lateSentence(late: number, all: number): string {
  return `The test got no verdict on ${late} of ${all} recorded callers within their share of its time, so nothing is known about their objects.`
}

/**
 * Runs a test about objects as the attacker, or, where its credentials are not of the kind that the endpoint takes, as
 * another recorded caller.
 */
async function runAsSomebody(
  template: Template,
  endpoint: EndpointKey,
  tools: SessionTools,
  endsAtMs: number | null,
): Promise<PairResult> {
  let result = await runUntil(template, endpoint, tools, endsAtMs)
  if (!isAboutObjects(template) || !UNFIT_ATTACKER.has(result.outcome)) return result
  if (actingRoles(template).some((role) => role !== ATTACKER_ROLE)) return result
  const standIns = tools.withStandIns(endpoint)
  for (const [at, other] of standIns.entries()) {
    const nowMs = tools.nowMs()
    const untilMs = endsAtMs === null ? null : nowMs + (endsAtMs - nowMs) / (standIns.length - at)
    const asOther = await runUntil(template, endpoint, other, untilMs)
    if (rankOf(asOther) > rankOf(result))
      result = { ...asOther, explanation: `${STAND_IN} ${asOther.explanation}` }
    if (rankOf(result) === MOST) break
  }
  return result
}

/**
 * Runs a test on the sample of one caller, whose requests may take no longer than its share of the time.
 * @param endsAtMs null: the caller shares it with nobody
 */
async function runUntil(
  template: Template,
  endpoint: EndpointKey,
  tools: SessionTools,
  endsAtMs: number | null,
): Promise<PairResult> {
  if (endsAtMs === null) return runTaped(template, endpoint, tools)
  const shareMs = Math.max(1, Math.floor(endsAtMs - tools.nowMs()))
  const share = AbortSignal.timeout(shareMs)
  try {
    return await runTaped(template, endpoint, tools.within(share))
  } catch (error) {
    if (!share.aborted || tools.signal.aborted) throw error
    const text = `The test took longer than the recorded caller's share of its time (${Math.ceil(shareMs / 1000)} s).`
    return obstructed(template, endpoint, tools, 'TEST_TIMED_OUT', text)
  }
}

/** Outcomes where the attacker may have credentials of the wrong kind. */
const UNFIT_ATTACKER: ReadonlySet<Outcome> = new Set(['ATTACKER_NOT_PROVEN', 'NO_API_REQUEST'])
const STAND_IN =
  'The endpoint takes credentials of another kind than the attacker has, so another recorded caller acted in its place.'
const ONLY_ADMIN =
  'Only administrators were recorded at this endpoint, and what they set is theirs to set: record another user there.'
const ONLY_OWN =
  'Only the users that the test acts as were recorded at this endpoint: record another user there.'
/** Outcomes that another sample of the endpoint may change. */
const OF_SAMPLE: ReadonlySet<Outcome> = new Set([
  'BASELINE_CHANGED',
  'NO_AUTH_TOKEN_FOUND',
  'NO_MESSAGE_WITH_AUTH_TOKEN',
  'SKIPPING_EXECUTION_BECAUSE_AUTH',
  'SKIPPING_EXECUTION_BECAUSE_FILTERS',
  'NO_API_REQUEST',
  'ATTACKER_NOT_PROVEN',
  'TEST_TIMED_OUT',
])
const MOST = 4

/** How much an outcome says. */
function rankOf({ outcome }: PairResult): number {
  if (outcome === 'VULNERABLE') return MOST
  if (outcome === 'UNCONFIRMED') return 3
  if (outcome === 'SECURE') return 2
  return outcome === 'SKIPPING_EXECUTION_BECAUSE_FILTERS' ? 0 : 1
}

async function runTaped(template: Template, endpoint: EndpointKey, tools: SessionTools): Promise<PairResult> {
  const run = async (given: SessionTools): Promise<PairResult> => {
    const recorder = recordTape(template, given)
    const result = await runPair(template, endpoint, recorder.tools)
    // What a graph plan asks of other endpoints does not stand on the tape.
    const isTaped = result.attempts.length > 0 && template.execute.type !== 'graph'
    return isTaped ? { ...result, tape: recorder.tape(result) } : result
  }
  return runInSessions(template, endpoint, tools, () => runSteadily(template, endpoint, tools, run))
}

/** Collects results and writes them together; the one that fills a batch waits for its write. */
class ResultWriter {
  readonly #record: (results: readonly PairResult[]) => Promise<void>
  #waiting: PairResult[] = []
  #line: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  written = 0
  error: unknown = null

  constructor(record: (results: readonly PairResult[]) => Promise<void>) {
    this.#record = record
  }

  async add(result: PairResult): Promise<void> {
    this.#waiting.push(result)
    if (this.#waiting.length >= WRITE_AT) await this.#write()
    else this.#timer ??= setTimeout(() => void this.#write(), WRITE_AFTER_MS)
  }

  async end(): Promise<void> {
    await this.#write()
    if (this.error !== null) throw this.error
  }

  #write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const results = this.#waiting
    this.#waiting = []
    this.#line = this.#line.then(async () => {
      if (results.length === 0 || this.error !== null) return
      try {
        await this.#record(results)
        this.written += results.length
      } catch (error) {
        this.error = error // thrown by end(); the workers stop meanwhile
      }
    })
    return this.#line
  }
}
