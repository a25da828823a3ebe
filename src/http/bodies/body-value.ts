/** A decoded body: what JSON can say. Objects may have no prototype; read keys with `in`, `Object.keys`, `Object.hasOwn`. */
export type BodyValue = null | boolean | number | string | BodyValue[] | BodyObject
export interface BodyObject {
  [key: string]: BodyValue
}

/** Bounds of everything a body is turned into. */
export interface BodyLimits {
  /** Longest text that is parsed whole; JSON beyond it is read up to the budget of values. */
  readonly maxChars: number
  /** Most bytes after undoing content encodings. */
  readonly maxDecodedBytes: number
  readonly maxDepth: number
  /** Most values (keys, elements, parts, events) of one body. */
  readonly maxValues: number
  /** Elements kept of lines, events and frames. */
  readonly maxElements: number
}

export const BODY_LIMITS: BodyLimits = {
  maxChars: 1_048_576,
  maxDecodedBytes: 8_388_608,
  maxDepth: 64,
  maxValues: 20_000,
  maxElements: 20,
}

export type BodyFormat =
  | 'json'
  | 'form'
  | 'multipart'
  | 'xml'
  | 'lines'
  | 'events'
  | 'jsonp'
  | 'grpc'
  | 'protobuf'

/** What became of a body. */
export type ParsedBody =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'tree'
      readonly format: BodyFormat
      readonly value: BodyValue
      /** Something was left out: cut input, broken input, or a limit. */
      readonly isTruncated: boolean
    }
  | {
      readonly kind: 'opaque'
      /** Declared media type, or the one its first bytes tell; '' when neither. */
      readonly mediaType: string
      /** Bytes, as stored in the message. */
      readonly size: number
      readonly reason: 'text' | 'binary' | 'too large' | 'malformed'
    }

/** A map for keys from outside: without prototype, so that `__proto__` is a key like any other (CWE-1321). */
export function emptyObject(): BodyObject {
  return Object.create(null) as BodyObject
}

/** Adds a value under a key; a key that is there already becomes a list of its values. */
export function addRepeatable(object: BodyObject, key: string, value: BodyValue): void {
  const before = object[key]
  if (before === undefined) object[key] = value
  else if (Array.isArray(before)) before.push(value)
  else object[key] = [before, value]
}
