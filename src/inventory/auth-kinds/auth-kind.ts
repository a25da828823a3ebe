/** Names on the wire, without UNAUTHENTICATED (the caller's word for an empty set). */
export const AUTH_KIND_NAMES = [
  'API_KEY',
  'API_TOKEN',
  'AUTHORIZATION_HEADER',
  'BASIC',
  'BEARER',
  'CUSTOM',
  'JWT',
  'MTLS',
  'SESSION_TOKEN',
] as const
export type AuthKindName = (typeof AUTH_KIND_NAMES)[number]

/** What a request shows of its credentials, prepared once by the caller. */
export interface AuthView {
  /** name, value, name, value …; names in lower case. */
  readonly requestHeaders: readonly string[]
  /** Those of {@link requestHeaders} that can hold a credential, where the caller knows them. */
  readonly credentialHeaders?: readonly string[] | undefined
  /** Decoded query parameters by name; the value of a repeated one is a list. */
  readonly query: Readonly<Record<string, unknown>>
  /** True when the caller knows that no name of the query is one that a credential stands under. */
  readonly queryNamesNoCredential?: boolean
  /** The decoded body; only the keys of an object are looked at. */
  readonly requestBody: unknown
  /** True when the caller knows that no key of the body names a credential, so that the body is not asked for. */
  readonly bodyNamesNoCredential?: boolean
}

/** A request written down for an example; everything that is left out is empty. */
export interface AuthExample {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

interface AuthKindCase extends AuthExample {
  readonly expect: boolean
  readonly because: string
}

/**
 * One way of proving who calls. Name predicates are asked once per distinct name and remembered; the value functions
 * return the detail (`digest`, `aws`, the name of the cookie's framework …) or undefined when the value is not a credential.
 */
export interface AuthKindDefinition {
  /** Own name, unique; several kinds may share one name on the wire. */
  readonly id: string
  readonly wireName: AuthKindName
  /** One sentence for the reference page. */
  readonly summary: string
  readonly header?: (name: string) => boolean
  readonly headerDetail?: (value: string, name: string) => string | undefined
  /** Of headers that are not meant for authorization only values are wanted that begin with `b` or hold a word that begins with `ey`. */
  readonly seeksToken?: true
  readonly cookie?: (name: string) => boolean
  readonly cookieDetail?: (value: string, name: string) => string | undefined
  readonly queryKey?: (name: string) => boolean
  /** The whole query, for kinds that need several parameters or a value. Asked when `queryKey` held for at least one. */
  readonly queryDetail?: (query: Readonly<Record<string, unknown>>) => string | undefined
  readonly bodyKey?: (name: string) => boolean
  readonly cases: readonly AuthKindCase[]
}

/** One credential found in a request. */
export interface AuthEvidence {
  readonly id: string
  readonly wireName: AuthKindName
  readonly position: 'header' | 'cookie' | 'query' | 'body'
  readonly name: string
  readonly detail: string
}

/** Declares an authentication kind; the identity function, for the type check. */
export function authKind(definition: AuthKindDefinition): AuthKindDefinition {
  return definition
}
