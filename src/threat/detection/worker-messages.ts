import type { Transferred } from '../../kit/index.ts'
import type { ActorSetup } from '../actors/actor-rules.ts'
import type { DetectedBatch, DetectionInput } from './detect-batch.ts'

/** What a detection thread looks for; sent when it starts and whenever it changes. */
export interface DetectionSetup {
  /** Every filter that is on, as YAML, in the order of their ids. */
  readonly filters: readonly { readonly id: string; readonly content: string }[]
  readonly actors: ActorSetup
  /** What requests of our own tests carry. */
  readonly ownMark: string
  /** Collections of hosts, for filters that ask; empty where none does. */
  readonly collections: readonly (readonly [host: string, id: number])[]
}

/** What came of one call, and the CPU time that it took. */
export interface DetectedCall {
  readonly batch: DetectedBatch
  readonly microseconds: number
}

/** What a detection thread answers. */
export type DetectionMethods = {
  /** Changes what is looked for; returns the number of filters, and what is wrong with others. */
  setUp(setup: DetectionSetup): { readonly filters: number; readonly problems: readonly string[] }
  /**
   * Looks for threats in the messages of one call, except for the skipped ones.
   *
   * @param order number of the call, which the thread writes to the shared memory while it works on it
   */
  detect(order: number, input: DetectionInput, skipped: readonly number[]): Transferred<DetectedCall>
}

/** Places in the memory that a detection thread shares: the order it works on, and the message in it. */
export const PROGRESS = { ORDER: 0, MESSAGE: 1, SLOTS: 2 } as const
