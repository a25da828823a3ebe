import type { Location } from '../../../data-types/index.ts'
import type { ScannedRequest, ScannedResponse } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import type { EndpointState, Fact, KeyTree, PendingCounts } from '../state/index.ts'
import type { CallTraits } from './call-traits.ts'
import type { LearningContext } from './value-types.ts'

/** The body of a message, read in place or built. */
export type MessageBody =
  | ScannedRequest
  | ScannedResponse
  | { readonly body: string; readonly bodyIsBase64?: boolean }

/**
 * Quicker ways to learn what repeats. Each may decline, and nothing is learned then: the general way takes the message.
 * What is stored is the same with and without them.
 */
export interface FastPaths {
  /** Learns a body whose keys are all known. */
  learnBody(tree: KeyTree, message: MessageBody, location: Location, context: LearningContext): boolean
  /** Learns headers that were read in place. */
  learnHeaders(
    endpoint: EndpointState,
    tree: KeyTree,
    message: ScannedRequest | ScannedResponse,
    context: LearningContext,
  ): boolean
  /** Counts a call like those before it. */
  countCall(endpoint: EndpointState, traits: CallTraits, at: EpochSeconds, pending: PendingCounts[]): boolean
  /** Notes the facts that each call with these traits counts for, once the endpoint knows all of them. */
  noteCall(endpoint: EndpointState, traits: CallTraits, facts: readonly Fact[]): void
}

/** The general way for everything. */
export const NO_FAST_PATHS: FastPaths = {
  learnBody: () => false,
  learnHeaders: () => false,
  countCall: () => false,
  noteCall: () => {},
}
