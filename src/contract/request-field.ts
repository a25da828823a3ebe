import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { requestListItems } from './limits.ts'

/** When a field marked (R) may be absent after all. */
type Exemption = 'always' | { whenPresent: string }

/** One field of a request body. `Value` is what a handler reads; `Sent` what a client may send; `MustSend` whether it must. */
export interface RequestField<Value = unknown, Sent = unknown, MustSend extends boolean = boolean> {
  readonly schema: TSchema
  /** Marked (R): an absent key is refused with "<field> is required", unless exempt. */
  readonly needed: boolean
  readonly description: string
  /** Whether `defaultValue` is used for null (and for an absent key that may be absent). */
  readonly hasDefault: boolean
  readonly defaultValue: unknown
  readonly exempt: Exemption | null
  /** Another key that is read when this one is absent. */
  readonly alias: string | null
  /** The specification gives this integer the type string; documents and clients show both. */
  readonly alsoString: boolean
  /** Code given instead of FIELD_REQUIRED. */
  readonly refusal: ErrorCode | null
  /** What is applied of a sent value, and therefore echoed; null when every value that fits is applied as sent. */
  readonly applied: Applied | null
  /** Types only, never set. */
  readonly '~value'?: Value
  /** Types only, never set. */
  readonly '~sent'?: Sent
  /** Types only, never set. */
  readonly '~mustSend'?: MustSend
}

/** The fields of a request body by their wire names. */
export type RequestFields = Record<string, RequestField>

/** Brings a sent value to the one that is applied: see {@link pageSize} and {@link knownWord}. */
type Applied = (sent: unknown) => unknown

interface FieldOptions {
  /** Taken for null, and for an absent key where the key may be absent. */
  default?: unknown
  /** A known client omits this key although the specification marks it: null or the default is taken then. */
  exempt?: Exemption
  /** A second spelling of the key. */
  alias?: string
  /** The specification gives this integer the type string; both are documented (and both are accepted anyway). */
  alsoString?: boolean
  /** Code given instead of FIELD_REQUIRED, where the interface has its own sentence. */
  refusal?: ErrorCode
  /** Brings odd values to those that are applied. */
  applied?: Applied
}

/** Entries per page: 0 and less mean the default, and no page is larger than the most. */
export function pageSize({ byDefault, most }: { byDefault: number; most: number }): Applied {
  return (sent) => {
    if (typeof sent !== 'number') return sent
    return sent <= 0 ? byDefault : Math.min(sent, most)
  }
}

/** One of the words; any other text, the empty one included, is the default. */
export function knownWord<Word extends string>(words: readonly Word[], byDefault: Word): Applied {
  return (sent) => (typeof sent === 'string' && !words.includes(sent as Word) ? byDefault : sent)
}

type Defaulted<Schema extends TSchema, Options> = Options extends { default: infer Default }
  ? Default extends null
    ? Static<Schema> | null
    : Static<Schema>
  : never

type NeededValue<Schema extends TSchema, Options> = Options extends { default: unknown }
  ? Defaulted<Schema, Options>
  : Options extends { exempt: unknown }
    ? Static<Schema> | null
    : Static<Schema>

type Writable<Schema extends TSchema, Options> = Options extends { alsoString: true }
  ? Static<Schema> | string
  : Static<Schema>

type NeededSent<Schema extends TSchema, Options> = Options extends { default: unknown }
  ? Writable<Schema, Options> | null
  : Writable<Schema, Options>

type MustSend<Options> = Options extends { exempt: unknown } ? false : true

type OptionalValue<Schema extends TSchema, Options> = Options extends { default: unknown }
  ? Defaulted<Schema, Options>
  : Static<Schema> | null

function field(schema: TSchema, description: string, needed: boolean, options: FieldOptions): RequestField {
  return {
    schema: bounded(schema),
    description,
    needed,
    hasDefault: Object.hasOwn(options, 'default'),
    defaultValue: options.default,
    exempt: options.exempt ?? null,
    alias: options.alias ?? null,
    alsoString: options.alsoString ?? false,
    refusal: options.refusal ?? null,
    applied: options.applied ?? null,
  }
}

/** The same schema, for lists of checked items with the limit that holds where none is stated. */
function bounded(schema: TSchema): TSchema {
  const { type, items, maxItems } = schema as { type?: string; items?: { type?: string }; maxItems?: number }
  const isOpen = items !== undefined && Object.keys(items).every((key) => key === 'description')
  if (type !== 'array' || maxItems !== undefined || isOpen) return schema
  return { ...schema, maxItems: requestListItems } as TSchema
}

/**
 * A field marked (R). Absent: refused. Null: the default, or refused when there is none. `default: null` lets null
 * through to the handler.
 */
export function required<Schema extends TSchema, const Options extends FieldOptions = Record<never, never>>(
  schema: Schema,
  description: string,
  options?: Options,
): RequestField<NeededValue<Schema, Options>, NeededSent<Schema, Options>, MustSend<Options>> {
  return field(schema, description, true, options ?? {}) as RequestField<
    NeededValue<Schema, Options>,
    NeededSent<Schema, Options>,
    MustSend<Options>
  >
}

/** A field that may be absent or null: the default is read then, or null when there is none. */
export function optional<Schema extends TSchema, const Options extends FieldOptions = Record<never, never>>(
  schema: Schema,
  description: string,
  options?: Options,
): RequestField<OptionalValue<Schema, Options>, Writable<Schema, Options> | null, false> {
  return field(schema, description, false, options ?? {}) as RequestField<
    OptionalValue<Schema, Options>,
    Writable<Schema, Options> | null,
    false
  >
}
