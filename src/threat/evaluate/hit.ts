import type { LiveExchange } from '../../http/index.ts'
import type { Filter, FilterPart } from '../filters/filter.ts'

/** A message as filters look at it. */
export interface ThreatMessage {
  readonly exchange: LiveExchange
  /** Address of the actor, for `source_ip`; '' when unknown. */
  readonly actorAddress: string
  /** Two-letter code, for `country_code`; '' when unknown. */
  readonly country: string
  /** For `api_collection_id`; 0 when unknown. */
  readonly collectionId: number
}

/** A part of a message, named as the term of the language that looks at it. */
export type HitLocation =
  | 'url'
  | 'query_param'
  | 'request_headers'
  | 'request_payload'
  | 'response_headers'
  | 'response_payload'
  | 'response_code'
  | 'method'
  | 'api_collection_id'
  | 'source_ip'
  | 'destination_ip'
  | 'country_code'

/** One thing that made a filter match. */
export interface Evidence {
  readonly location: HitLocation
  /** Name of the header, parameter or field inside the location, `cookie t` for a cookie; '' for the location as a whole. */
  readonly name: string
  /** How the text was read: `raw` (undecoded), `plain` (as a server reads it), or further decodings, outermost first. */
  readonly view: string
  /** Of the match, in UTF-16 code units of the text as it was read. */
  readonly start: number
  readonly end: number
  /** The match as it was read, cut to {@link MAX_PHRASE} units; may hold secrets: mask before it is shown. */
  readonly phrase: string
}

/** Longest phrase of an evidence, in UTF-16 code units. */
export const MAX_PHRASE = 200
/** Most evidence that one hit carries. */
export const MAX_EVIDENCE = 4

/** A filter that matched a message, and was not called off by its `ignore`. */
export interface Hit {
  readonly filter: Filter
  /** The condition that held; a filter has at most one hit for each of its conditions. */
  readonly part: FilterPart
  /** What decided, at most {@link MAX_EVIDENCE}; empty where something's absence decided. */
  readonly evidence: readonly Evidence[]
  /** For each rule of the filter its distinct value in this message; null where it asks for none or there is none. */
  readonly distinctValues: readonly (string | null)[]
}

/** What the filters of a set say of a message. */
export interface Verdict {
  /** Of filters with the role `event` alone, in the order of the set. */
  readonly hits: readonly Hit[]
  /** A filter with the role `successful-exploit` matched. */
  readonly isSuccessfulExploit: boolean
  /** A filter with the role `ignored-event` matched. */
  readonly isIgnored: boolean
  /** Not everything was looked at: the message is beyond a limit of size, depth, count or time. */
  readonly isTruncated: boolean
}
