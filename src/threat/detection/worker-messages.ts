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

/** What main tells a detection thread. */
export type DetectionOrder =
  | { readonly kind: 'setup'; readonly id: number; readonly setup: DetectionSetup }
  | {
      readonly kind: 'detect'
      readonly id: number
      readonly input: DetectionInput
      readonly skipped: readonly number[]
    }

/** What a detection thread answers. */
export type DetectionReply =
  | {
      readonly kind: 'ready'
      readonly id: number
      readonly filters: number
      readonly problems: readonly string[]
    }
  | {
      readonly kind: 'detected'
      readonly id: number
      readonly batch: DetectedBatch
      readonly microseconds: number
    }

/** Places in the memory that a detection thread shares: the order it works on, and the message in it. */
export const PROGRESS = { ORDER: 0, MESSAGE: 1, SLOTS: 2 } as const
