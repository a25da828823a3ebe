/** Where in an exchange a value stands. Finer than the four positions of the wire; see `wirePosition`. */
export const LOCATIONS = [
  'REQUEST_HEADER',
  'REQUEST_PAYLOAD',
  'RESPONSE_HEADER',
  'RESPONSE_PAYLOAD',
  'PATH',
  'QUERY',
  'COOKIE',
  'SET_COOKIE',
  'TRAILER',
] as const
export type Location = (typeof LOCATIONS)[number]

type Category =
  | 'PERSON'
  | 'NATIONAL_ID'
  | 'FINANCE'
  | 'DEVICE'
  | 'HEALTH'
  | 'TOKEN'
  | 'SECRET'
  | 'CONTENT'
  | 'IDENTIFIER'

export type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'

/** What the verifier knows beside the value itself. */
export interface VerifyContext {
  readonly key: string
  readonly parentKey: string
  readonly location: Location
  /** The key (or, when the key says nothing on its own, its parent) is named like this type. */
  readonly named: boolean
  /** The key says that the value is something else that looks alike: an order number, a hash, a time. */
  readonly misleading: boolean
}

/**
 * What a value must look like before the verifier is asked at all; compiled into the dispatch table.
 * `chars` are the character classes allowed, `requires` those that must all occur (bits of `value-signature.ts`).
 * With `starts`, the value must begin with one of the texts, and `chars` and `requires` are not looked at.
 */
export interface Prefilter {
  readonly length: readonly [min: number, max: number]
  readonly chars?: number
  readonly requires?: number
  readonly starts?: readonly string[]
}

/** One example that the generic test runs: must the type be reported for this value here, and why. */
interface DataTypeCase {
  readonly value: string
  readonly key?: string
  readonly parentKey?: string
  readonly location?: Location
  readonly expect: boolean
  readonly because: string
}

/** One kind of value that Vigil knows. A file of `types/` is one definition, complete in itself. */
export interface DataTypeDefinition {
  /** Name on the wire. */
  readonly name: string
  /** One sentence for the reference page. */
  readonly summary: string
  readonly category: Category
  readonly severity: Severity
  readonly sensitiveIn: 'ALWAYS' | 'NEVER' | readonly Location[]
  /** PROOF: the value itself decides (checksum, structure, issuer). NAME: the key decides, the value is only checked. */
  readonly evidence: 'PROOF' | 'NAME'
  readonly mayMatch: Prefilter
  /** Used instead of `mayMatch` where the key is named like the type: there a wider form is believed. */
  readonly whenNamed?: Prefilter
  /** Words and phrases of key names, lower case, several languages, without diacritics. */
  readonly keys?: readonly string[]
  /** Asked only where the key is named like the type. */
  readonly needsKey?: boolean
  /** Also searched for as one token inside a longer text. */
  readonly inText?: boolean
  /** Reported only when no other type was. */
  readonly fallback?: boolean
  /** Confidence 0..100; reported from {@link REPORT_FROM} on. The prefilter has matched. */
  readonly verify: (value: string, context: VerifyContext) => number
  readonly cases: readonly DataTypeCase[]
}

/** The least confidence that is reported. */
export const REPORT_FROM = 60

/** Secrets belong in the header or cookie of a request and nowhere else. */
export const OUTSIDE_REQUEST_HEADERS: readonly Location[] = [
  'REQUEST_PAYLOAD',
  'RESPONSE_HEADER',
  'RESPONSE_PAYLOAD',
  'PATH',
  'QUERY',
  'SET_COOKIE',
  'TRAILER',
]

/** For values a client rightly sends in a body, and that must not be in a response or a URL. */
export const RESPONSE_OR_URL: readonly Location[] = [
  'RESPONSE_HEADER',
  'RESPONSE_PAYLOAD',
  'PATH',
  'QUERY',
  'SET_COOKIE',
  'TRAILER',
]

/** Only what the server sends. */
export const RESPONSE_ONLY: readonly Location[] = [
  'RESPONSE_HEADER',
  'RESPONSE_PAYLOAD',
  'SET_COOKIE',
  'TRAILER',
]

/** Declares a data type; the identity function, for the type check. */
export function dataType(definition: DataTypeDefinition): DataTypeDefinition {
  return definition
}

/**
 * Joins the parts of an example value. Examples of secrets are written in parts so that the secret scanners of code
 * hosts do not take them for real ones.
 */
export function example(...parts: readonly string[]): string {
  return parts.join('')
}
