import type { EngineFigures } from './port.ts'

/** Stages of a message's way, in their order. */
export type Stage = 'parse' | 'place' | 'resolve' | 'learn' | 'write' | 'fold' | 'evaluate'

/** Time spent per stage since start, for /metrics and the ingest bench. */
export class StageClock {
  readonly #stages = new Map<Stage, { messages: number; microseconds: number }>()

  /** Adds the time since `startedMs` (performance.now()) for so many messages; returns the present moment. */
  add(stage: Stage, messages: number, startedMs: number): number {
    const now = performance.now()
    let entry = this.#stages.get(stage)
    if (entry === undefined) {
      entry = { messages: 0, microseconds: 0 }
      this.#stages.set(stage, entry)
    }
    entry.messages += messages
    entry.microseconds += (now - startedMs) * 1000
    return now
  }

  figures(): EngineFigures['stages'] {
    return Object.fromEntries(this.#stages)
  }
}
