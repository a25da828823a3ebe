/** Where a declared parameter stands. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** Wire type of a declared value; '' when the document gives none. */
export type DeclaredType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null' | ''

export interface DeclaredParameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly type: DeclaredType
  /** For example `uuid`, `date-time`, `int64`; '' when none. */
  readonly format: string
  /** Text of the declared example or default; undefined when there is none. */
  readonly example?: string
  /** Texts of the values that a parameter of the path can have, where the document lists them. */
  readonly choices?: readonly string[]
  /** Text of a value made by the bounds, the format and the pattern of the schema; absent where it has no scalar type. */
  readonly generated?: string
  /** Pairs of names and values that a list or an object is sent as, where it is not one pair; absent elsewhere. */
  readonly pairs?: readonly (readonly [name: string, value: string])[]
}

/**
 * One key of a declared body in flattened notation: names joined by `#`, `$` for an array level, a root array under
 * `json` (for example `items#$#id`); literal `#` and `$` in names as %23 and %24.
 */
export interface DeclaredKey {
  readonly key: string
  readonly type: DeclaredType
  readonly format: string
  readonly required: boolean
}

export interface DeclaredBody {
  /** For example `application/json`; '' when not told. */
  readonly mediaType: string
  readonly keys: readonly DeclaredKey[]
  /** Text of an example body: declared, or built from the schema; undefined when neither is possible. */
  readonly example?: string
}

export interface DeclaredResponse extends DeclaredBody {
  /** As declared: `200`, `4XX`, `default`. */
  readonly status: string
}

/** One security scheme that a request may have to satisfy. */
export interface DeclaredSecurity {
  readonly name: string
  readonly kind: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS' | 'unknown'
  /** For apiKey: where it goes. */
  readonly in?: 'header' | 'query' | 'cookie'
  /** For apiKey: name of the header, query parameter or cookie. */
  readonly parameter?: string
  /** For http: `bearer`, `basic`, … in lower case. */
  readonly scheme?: string
  readonly scopes: readonly string[]
}

/** One operation that a document declares. A declaration is not traffic: nobody has observed it. */
export interface DeclaredOperation {
  /** Number in the document, from 0; the same as in the report. */
  readonly index: number
  /** JSON pointer, with the line where it is known. */
  readonly where: string
  readonly method: string
  /** Path below the server with parameters as `{name}`, including the server's own base path. */
  readonly path: string
  /** Path that requests go to, where {@link path} names one of several operations behind it (GraphQL, SOAP). */
  readonly target?: string
  readonly protocol?: 'GRAPHQL' | 'GRPC' | 'SOAP' | 'WEBSOCKET'
  /** What a request does, where its method does not tell. */
  readonly effect?: 'READ' | 'CREATE' | 'CHANGE' | 'DELETE'
  /** What answers hold, where the path does not tell: `Order`. */
  readonly resource?: string
  /** Origin, for example `https://shop.test`; '' when the document names none. */
  readonly origin: string
  /** Every server URL that the document gives for it, variables replaced by their defaults. */
  readonly servers: readonly string[]
  readonly id: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly parameters: readonly DeclaredParameter[]
  readonly requests: readonly DeclaredBody[]
  readonly responses: readonly DeclaredResponse[]
  /** Alternatives; every scheme of one alternative is needed. An empty list, or an empty alternative: none needed. */
  readonly security: readonly (readonly DeclaredSecurity[])[]
  /** What was wrong with its declaration; the operation is usable all the same. */
  readonly problems: readonly string[]
}
