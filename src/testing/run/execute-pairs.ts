import { Failure } from '../../kit/index.ts'
import { recordTape } from '../evidence/record-tape.ts'
import type { PlannedPair } from '../plan/plan.ts'
import type { Template } from '../template/index.ts'
import { phaseOf } from './pair-phase.ts'
import { PairQueue, type QueuedPair } from './pair-queue.ts'
import type { PairResult } from './pair-result.ts'
import type { RunGate } from './run-gate.ts'
import { runInSessions } from './run-in-sessions.ts'
import { runPair } from './run-pair.ts'
import type { SessionTools } from './tools.ts'

/** Longest that one test may take on one endpoint. */
const PAIR_LIMIT_MS = 240_000
/** Results are written together, so many at the most … */
const WRITE_AT = 50
/** … or after this time. */
const WRITE_AFTER_MS = 500

/** How a list of pairs is worked off. */
export interface ExecuteOptions {
  /** Tests that run at the same time, 1 to 500. */
  readonly concurrency: number
  /** Shared with other lists of the same execution: how many may run in all of them together. */
  readonly gate?: RunGate
  /** Keeps results for good; called with each pair once, and again for the same ones after it failed. */
  readonly record: (results: readonly PairResult[]) => Promise<void>
  /** Tools for one pair, whose `signal` ends that pair alone. */
  readonly toolsWith: (signal: AbortSignal) => SessionTools
  /** Aborted when the run was stopped or its time is up. */
  readonly signal: AbortSignal
  readonly templates: ReadonlyMap<string, Template>
}

/**
 * Runs pairs until all have a result or the signal is aborted. A pair that was cut off by the signal has no result:
 * it is repeated when the run goes on.
 *
 * @returns how many pairs got a result
 * @throws what `record` throws: the run cannot go on without its store
 */
export async function executePairs(pairs: readonly PlannedPair[], options: ExecuteOptions): Promise<number> {
  const queue = new PairQueue(
    pairs.map((pair) => ({ ...pair, ...phaseOf(options.templates.get(pair.testId), pair.endpoint.method) })),
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
  const limit = AbortSignal.timeout(PAIR_LIMIT_MS)
  const tools = options.toolsWith(AbortSignal.any([options.signal, limit]))
  const startedAtMs = tools.nowMs()
  try {
    return await runInSessions(template, pair.endpoint, tools, async () => {
      const recorder = recordTape(template, tools)
      const result = await runPair(template, pair.endpoint, recorder.tools)
      // What a graph plan asks of other endpoints does not stand on the tape.
      const isTaped = result.attempts.length > 0 && template.execute.type !== 'graph'
      return isTaped ? { ...result, tape: recorder.tape(result) } : result
    })
  } catch (error) {
    if (options.signal.aborted) return null
    const isLate = limit.aborted
    return {
      endpoint: pair.endpoint,
      testId: pair.testId,
      category: template.info.category.name,
      severity: 'HIGH',
      outcome: isLate ? 'TEST_TIMED_OUT' : 'EXECUTION_FAILED',
      explanation: isLate
        ? `The test took longer than ${PAIR_LIMIT_MS / 1000} s.`
        : `The test broke off: ${error instanceof Failure ? error.code : String(error)}`,
      baseline: tools.sampleOf(pair.endpoint),
      attempts: [],
      control: null,
      identities: [],
      callbackIds: [],
      selection: null,
      startedAtMs,
      endedAtMs: tools.nowMs(),
    }
  }
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
