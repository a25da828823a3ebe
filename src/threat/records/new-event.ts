import { createHash } from 'node:crypto'
import type { Exchange } from '../../http/index.ts'
import type { Evidence } from '../evaluate/hit.ts'
import type { FilterSeverity } from '../filters/filter.ts'

/** One whole message behind an event. */
export interface EventMessage {
  /** Masked already as its collection asks: what stands here is stored and shown. */
  readonly exchange: Exchange
  /** What matched; phrases are stored as they are, so mask them with the message. */
  readonly evidence: readonly Evidence[]
  /** Parts of the message were not looked at: it is beyond a limit. */
  readonly isTruncated?: boolean
  /** Of the message on which a rule fired. */
  readonly firing?: RuleFiring
}

/** What filled the window of a rule that fired. */
export interface RuleFiring {
  readonly rule: string
  /** Messages that were counted. */
  readonly count: number
  /** Different values among them; null where the rule counts messages. */
  readonly values: number | null
  /** Epoch seconds. */
  readonly firstAt: number
  readonly lastAt: number
}

/** An event that a detector found, to be stored with `storeEvents`. */
export interface NewEvent {
  /** From {@link eventId}: the same message, filter and rule give the same id, so that a repetition changes nothing. */
  readonly id: string
  /** UUID under which messages of one aggregated event stand; the id itself for a single one. */
  readonly refId: string
  readonly filterId: string
  /** Of the filter as it was when it matched. */
  readonly category: string
  readonly subCategory: string
  /** '' where a detector outside names none. */
  readonly severity: FilterSeverity | ''
  readonly type: 'Rule-Based' | 'Anomaly'
  readonly eventType: 'SINGLE' | 'AGGREGATED'
  readonly label: 'threat' | 'guardrail'
  /** IGNORED when a filter with the role `ignored-event` matched the same message. */
  readonly status: 'ACTIVE' | 'UNDER_REVIEW' | 'IGNORED'
  readonly isSuccessfulExploit: boolean
  /** As `findActor` gives it. */
  readonly actor: string
  /** Source address; '' when unknown. */
  readonly ip: string
  /** Two letters; '' when unknown. */
  readonly country: string
  readonly destCountry: string
  /** 0 when unknown. */
  readonly collectionId: number
  /** '' when unknown. */
  readonly host: string
  readonly method: string
  /** As observed, not the template. */
  readonly url: string
  /** Epoch seconds of the message. */
  readonly detectedAt: number
  /**
   * The message that made the event first, then those that led to it; at most {@link MAX_EVENT_MESSAGES} are kept. What
   * windows kept earlier under the same refId (`keepMessages`) need not be repeated.
   */
  readonly messages: readonly EventMessage[]
}

/** Messages kept behind one event. */
export const MAX_EVENT_MESSAGES = 10

/** What became of events given to `storeEvents`. */
export interface StoredEvents {
  /** Those that were new. */
  readonly stored: readonly NewEvent[]
  /** How many were there already. */
  readonly repeated: number
  /** How many a suppression dropped. */
  readonly suppressed: number
}

/**
 * Id of an event: a UUID of version 8 (RFC 9562 section 5.8) from what makes it the same event.
 *
 * @param messageHash of the message, as redeliveries are recognised by; for an aggregated event of the one that fired
 * @param rule name of the aggregation rule, and the start of its window where one message could fire it twice; '' for
 *   a single event
 */
export function eventId(messageHash: string | Uint8Array, filterId: string, rule: string): string {
  const hash = createHash('sha256').update(messageHash).update(`\0${filterId}\0${rule}`).digest()
  hash[6] = (hash[6]! & 0x0f) | 0x80
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
