import type { EngineFigures } from '../port.ts'

/** Stages of a message's way, in their order. */
type Stage = 'parse' | 'learn' | 'load' | 'write' | 'fold' | 'evaluate'

/** CPU time of this thread per stage since start, for /metrics and the ingest bench. */
export class StageClock {
  readonly #stages = new Map<Stage, { messages: number; microseconds: number }>()

  /** CPU microseconds of this thread so far. */
  now(): number {
    const { user, system } = process.threadCpuUsage()
    return user + system
  }

  /** Adds the CPU time since `started` for so many messages; returns the present moment. */
  add(stage: Stage, messages: number, started: number): number {
    const now = this.now()
    let entry = this.#stages.get(stage)
    if (entry === undefined) {
      entry = { messages: 0, microseconds: 0 }
      this.#stages.set(stage, entry)
    }
    entry.messages += messages
    entry.microseconds += now - started
    return now
  }

  figures(): EngineFigures['stages'] {
    return Object.fromEntries(this.#stages)
  }
}
