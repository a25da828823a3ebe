import { endsWithin, Failure, newHexId, nowMs } from '../../kit/index.ts'
import type { EndpointKey, ResultDetail } from '../../testing/index.ts'
import type { RunDeps } from './execute-run.ts'
import { readSentTemplate } from './sent-template.ts'
import { type ReadyTrial, readTrialSample, readyTrial, tryTemplate } from './try-template.ts'

/** What takes longer is asked for later. */
const ANSWER_WITHIN_MS = 15_000
/** Trials under way at the same time in one process. */
const MAX_AT_ONCE = 4
/** Ended trials whose result is kept, and for how long. */
const MAX_KEPT = 100
const KEPT_MS = 600_000

/** A test on one endpoint, as somebody sent it. */
export interface SentTrial {
  readonly content: string
  readonly endpoint: EndpointKey
  /** The exchange to start from, as text; null for the stored one. */
  readonly sample: string | null
  readonly user: string
}

/** A test that is or was tried. */
export interface PlaygroundTrial {
  readonly id: string
  /** Null while it runs, and when it failed. */
  readonly result: ResultDetail | null
  readonly state: 'RUNNING' | 'COMPLETED' | 'FAILED'
}

interface Entry extends PlaygroundTrial {
  readonly user: string
  result: ResultDetail | null
  state: PlaygroundTrial['state']
  endedAtMs: number
  /** Resolves when it has ended, however it did. */
  ended: Promise<void>
}

/** Tests that people try before they save them. Results live in this process for ten minutes. */
export class Playground {
  readonly #deps: RunDeps
  readonly #stop = new AbortController()
  readonly #entries = new Map<string, Entry>()

  constructor(deps: RunDeps) {
    this.#deps = deps
  }

  /**
   * Tries a test, and waits for its end up to {@link ANSWER_WITHIN_MS}.
   *
   * @throws Failure INVALID_TEST_TEMPLATE, INVALID_TEST_SAMPLE, NO_SAMPLE_TO_TEST, TARGET_OUT_OF_SCOPE, PLAYGROUND_BUSY
   */
  async try({ content, endpoint, sample, user }: SentTrial): Promise<PlaygroundTrial> {
    const { template } = readSentTemplate(content)
    const trial = await readyTrial(this.#deps.store, {
      template,
      endpoint,
      sample: sample === null ? null : readTrialSample(sample),
      user,
    })
    const entry = this.#begin(trial)
    await endsWithin(ANSWER_WITHIN_MS, entry.ended)
    return shown(entry)
  }

  #begin(trial: ReadyTrial): Entry {
    this.#forgetOld()
    const running = [...this.#entries.values()].filter(({ state }) => state === 'RUNNING').length
    if (running >= MAX_AT_ONCE) throw new Failure('PLAYGROUND_BUSY', {})
    const entry: Entry = {
      id: newHexId(),
      user: trial.user,
      result: null,
      state: 'RUNNING',
      endedAtMs: 0,
      ended: Promise.resolve(),
    }
    entry.ended = tryTemplate(this.#deps, trial, this.#stop.signal).then(
      (result) => {
        entry.result = result
        entry.state = 'COMPLETED'
        entry.endedAtMs = nowMs()
      },
      () => {
        // Only the end of the process or of its time breaks a trial off: everything else is a result.
        entry.state = 'FAILED'
        entry.endedAtMs = nowMs()
      },
    )
    this.#entries.set(entry.id, entry)
    return entry
  }

  /** A trial that somebody began. @throws Failure PLAYGROUND_NOT_FOUND */
  find(id: string, user: string): PlaygroundTrial {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.user !== user) throw new Failure('PLAYGROUND_NOT_FOUND', {})
    return shown(entry)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended))
  }

  #forgetOld(): void {
    const ended = [...this.#entries.values()].filter(({ state }) => state !== 'RUNNING')
    const surplus = ended.length - MAX_KEPT
    for (const [index, { id, endedAtMs }] of ended.entries())
      if (index < surplus || nowMs() - endedAtMs > KEPT_MS) this.#entries.delete(id)
  }
}

function shown({ id, result, state }: Entry): PlaygroundTrial {
  return { id, result, state }
}
