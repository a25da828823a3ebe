import type { LiveExchange } from '../../http/index.ts'
import type { KnownParts } from './known-headers.ts'

/**
 * What a filter looks at: a message cut into leaves. A leaf is a run of UTF-16 code units in one shared array, with the
 * place it was found at, the name it stands under and the decodings that led to it. Leaves may overlap: most are ranges
 * of a raw text that is written once.
 */

/** Where a leaf was found. The number is its bit in a set of places. */
export const PLACE = {
  /** The whole request target as observed, undecoded. */
  URL_RAW: 0,
  /** Path of the target, percent-decoded once; a second leaf with resolved dot segments when that differs. */
  URL_PATH: 1,
  QUERY_NAME: 2,
  QUERY_VALUE: 3,
  /** All request headers as observed: `name: value` lines, names in lower case. */
  REQUEST_HEADERS_RAW: 4,
  REQUEST_HEADER_NAME: 5,
  REQUEST_HEADER_VALUE: 6,
  COOKIE_NAME: 7,
  COOKIE_VALUE: 8,
  /** The request body as text, undecoded (after content coding and charset). */
  REQUEST_BODY_RAW: 9,
  /** Key of an object, name of a form field, of an element or of an attribute. */
  REQUEST_BODY_KEY: 10,
  REQUEST_BODY_VALUE: 11,
  /** File name of a multipart part. */
  REQUEST_FILE_NAME: 12,
  RESPONSE_HEADERS_RAW: 13,
  RESPONSE_HEADER_NAME: 14,
  RESPONSE_HEADER_VALUE: 15,
  RESPONSE_BODY_RAW: 16,
  RESPONSE_BODY_KEY: 17,
  RESPONSE_BODY_VALUE: 18,
} as const

/** A number of {@link PLACE}. */
export type Place = (typeof PLACE)[keyof typeof PLACE]

/**
 * Sets of places, as bits `1 << place`: what each text term of the filter language reads. `DECODED` sets hold the
 * decoded leaves, `RAW` sets the one undecoded text. A filter whose patterns hold no percent sign, backslash or
 * punctuation of JSON is decided by decoded leaves only; asking for raw text costs a second scan of the message.
 */
export const PLACES_OF = {
  URL_DECODED: (1 << PLACE.URL_PATH) | (1 << PLACE.QUERY_NAME) | (1 << PLACE.QUERY_VALUE),
  URL_RAW: 1 << PLACE.URL_RAW,
  QUERY_DECODED: (1 << PLACE.QUERY_NAME) | (1 << PLACE.QUERY_VALUE),
  REQUEST_HEADERS_DECODED:
    (1 << PLACE.REQUEST_HEADER_NAME) |
    (1 << PLACE.REQUEST_HEADER_VALUE) |
    (1 << PLACE.COOKIE_NAME) |
    (1 << PLACE.COOKIE_VALUE),
  REQUEST_HEADERS_RAW: 1 << PLACE.REQUEST_HEADERS_RAW,
  REQUEST_PAYLOAD_DECODED:
    (1 << PLACE.REQUEST_BODY_KEY) | (1 << PLACE.REQUEST_BODY_VALUE) | (1 << PLACE.REQUEST_FILE_NAME),
  REQUEST_PAYLOAD_RAW: 1 << PLACE.REQUEST_BODY_RAW,
  RESPONSE_HEADERS_DECODED: (1 << PLACE.RESPONSE_HEADER_NAME) | (1 << PLACE.RESPONSE_HEADER_VALUE),
  RESPONSE_HEADERS_RAW: 1 << PLACE.RESPONSE_HEADERS_RAW,
  RESPONSE_PAYLOAD_DECODED: (1 << PLACE.RESPONSE_BODY_KEY) | (1 << PLACE.RESPONSE_BODY_VALUE),
  RESPONSE_PAYLOAD_RAW: 1 << PLACE.RESPONSE_BODY_RAW,
} as const

/** Decodings that led to a leaf, as bits; 0 is the text of its place as a server of that place would read it. */
export const VIEW = {
  /** Percent codes, `%uXXXX` and overlong UTF-8 among them. */
  PERCENT: 1,
  /** Percent codes a second or third time. */
  PERCENT_AGAIN: 2,
  HTML_ENTITIES: 4,
  /** `\uXXXX`, `\u{…}`, `\xHH`. */
  BACKSLASH: 8,
  BASE64: 16,
  /** A string that held JSON, walked. */
  NESTED_JSON: 32,
  GRAPHQL_LITERAL: 64,
  /** A segment of a token (RFC 7519). */
  JWT: 128,
  /** The normalised twin: NFKC, no NUL or zero-width characters, white space runs to one space, SQL comments unwrapped. */
  NORMALISED: 256,
  /** Dot segments of a path resolved. */
  RESOLVED: 512,
  /** One window of a leaf that was longer than the budget allows. */
  WINDOW: 1024,
  /** The operations of a list of GraphQL requests, side by side. */
  OPERATIONS: 2048,
} as const

const VIEW_NAMES: readonly string[] = [
  'percent',
  'percent again',
  'html entities',
  'backslash',
  'base64',
  'nested json',
  'graphql literal',
  'jwt',
  'normalised',
  'resolved',
  'window',
  'list of operations',
]

/** Why part of a message was left unseen, as bits of {@link LeafList.truncated}. */
export const TRUNCATION = {
  /** The middle of a body, behind its head and before its tail. */
  BODY: 1,
  LEAVES: 2,
  DEPTH: 4,
  /** More text than the budget lets be decoded. */
  WORK: 8,
  /** A text that was decoded as often as the budget lets, and still is encoded. */
  LAYERS: 16,
} as const

/** Limits of reading one message; lengths in code units. */
export interface ViewBudget {
  readonly headUnits: number
  readonly tailUnits: number
  readonly maxLeaves: number
  /** Longer leaves become windows that overlap by `overlapUnits`. */
  readonly leafUnits: number
  readonly overlapUnits: number
  readonly maxDepth: number
  /** Layers of encoding that are undone of a text. */
  readonly maxRounds: number
  /** Code units read or written by decoding: bounds the CPU of one message in a way that repeats exactly. */
  readonly maxWork: number
  /** What is decoded from one text of the message, as a multiple of it and code units beside: many layers do not cost more. */
  readonly growth: number
  readonly freeGrowth: number
}

export const VIEW_BUDGET: ViewBudget = {
  headUnits: 131_072,
  tailUnits: 32_768,
  maxLeaves: 2_000,
  leafUnits: 65_536,
  overlapUnits: 1_024,
  maxDepth: 64,
  maxRounds: 4,
  maxWork: 786_432,
  growth: 3,
  freeGrowth: 1_024,
}

/**
 * The leaves of one message. One list is used again for every message: what it holds is true until the next message is
 * read. Index `i` runs from 0 to `count - 1`.
 */
export interface LeafList {
  /** Text of all leaves. The array object may be replaced between messages, never while a message is looked at. */
  readonly units: Uint16Array
  readonly count: number
  /** First code unit, and the one behind the last, in `units`. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** A {@link Place}. */
  readonly places: Uint8Array
  /** Bits of {@link VIEW}. */
  readonly views: Uint16Array
  /** Of these bits, only those of the last round: what its parent was decoded by. */
  readonly steps: Uint16Array
  /** Bits of `CHAR` that say what characters each leaf holds; 0 for raw texts, of which nothing is said. */
  readonly flags: Uint16Array
  /** The leaf that names this one (its key, header or parameter name); of a key, the key around it. -1: none. */
  readonly keys: Int32Array
  /** The leaf of the message itself that each leaf was read from. */
  readonly roots: Int32Array
  /** The leaf that this one was decoded from; -1: it is text of the message itself. */
  readonly parents: Int32Array
  /** Bits of {@link TRUNCATION}; 0: the whole message was seen. */
  readonly truncated: number
  text(leaf: number): string
  /** Names from the outside in, joined by dots: `items.name`; of a header or parameter its name; '' without one. */
  path(leaf: number): string
  /** Only the last name of the path: what a `key` condition compares. */
  name(leaf: number): string
}

/**
 * Names of the decodings that led to a leaf, in the order in which they were undone: outermost first, those of one round
 * side by side, one that was undone twice twice. '' when nothing was decoded beyond the place.
 */
export function readingOf({ steps, parents }: LeafList, leaf: number): string {
  const rounds: string[] = []
  for (let at = leaf; at >= 0; at = parents[at]!)
    rounds.unshift(...VIEW_NAMES.filter((_, bit) => (steps[at]! & (1 << bit)) !== 0))
  return rounds.join(', ')
}

/**
 * Reads a message into leaves (`read-views.ts`). The list belongs to the reader and holds until its next call.
 * @param wanted places to read, bits as in {@link PLACES_OF}; leaves of other places may be there or not
 * @param known parts to leave out of messages that were read in place
 */
export type ReadViews = (
  exchange: LiveExchange,
  wanted: number,
  budget?: ViewBudget,
  known?: KnownParts,
) => LeafList
