import { Failure, newHexId, nowMs } from '../../kit/index.ts'
import type { ResultDetail } from '../../testing/index.ts'
import type { RunGround } from './execute-run.ts'
import { type ReadyTrial, tryTemplate } from './try-template.ts'

/** Trials under way at the same time in one process. */
const MAX_AT_ONCE = 4
/** Ended trials whose result is kept, and for how long. */
const MAX_KEPT = 100
const KEPT_MS = 600_000

/** A test that is or was tried. */
export interface PlaygroundTrial {
  readonly id: string
  readonly user: string
  /** Null while it runs, and when it failed. */
  readonly result: ResultDetail | null
  readonly state: 'RUNNING' | 'COMPLETED' | 'FAILED'
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>
}

interface Entry extends PlaygroundTrial {
  result: ResultDetail | null
  state: PlaygroundTrial['state']
  endedAtMs: number
  ended: Promise<void>
}

/** Tests that people try before they save them. Results live in this process for ten minutes. */
export class Playground {
  readonly #ground: RunGround
  readonly #stop = new AbortController()
  readonly #entries = new Map<string, Entry>()

  constructor(ground: RunGround) {
    this.#ground = ground
  }

  /** Begins a trial. @throws Failure PLAYGROUND_BUSY */
  begin(trial: ReadyTrial): PlaygroundTrial {
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
    entry.ended = tryTemplate(this.#ground, trial, this.#stop.signal).then(
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
    return entry
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
