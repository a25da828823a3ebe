import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { RequestFields } from './request-field.ts'
import type { groups, keyKinds, roles } from './vocabulary.ts'
import type { RecordField, RecordFields, WideRecord } from './wide-record.ts'

/** Role of a user. */
export type Role = (typeof roles)[number]

/** Kind of an API key. */
export type KeyKind = (typeof keyKinds)[number]

/** Key of a group. */
export type GroupName = keyof typeof groups

/** Answer whose body is a wide record: the handler gives the meaningful fields, the contract fills the rest. */
export interface WideAnswer<
  Fields extends RecordFields = RecordFields,
  Extra extends RecordFields = RecordFields,
  Fills extends string = string,
> {
  readonly shape: 'wide'
  readonly record: WideRecord<Fields>
  /** Fields that this operation means; a handler must give each. */
  readonly fills: readonly Fills[]
  /** Fields of this operation only; one of the same name as a field of the record replaces it. */
  readonly extra: Extra
}

/** Answer whose whole body is one value. */
export interface RootAnswer<Schema extends TSchema = TSchema> {
  readonly shape: 'root'
  readonly schema: Schema
}

/** Status 200 with no content. */
export interface EmptyAnswer {
  readonly shape: 'none'
}

/** What an operation answers. */
export type Answer = WideAnswer | RootAnswer | EmptyAnswer

/** An example that validates against the operation's own schemas; `response` holds the meaningful fields only. */
interface Example {
  readonly request: Record<string, unknown>
  /** Undefined for operations without content. */
  readonly response?: unknown
}

/** What one operation is; see README.md of this folder for how to write one. */
interface OperationDefinition<Request extends RequestFields = RequestFields, Reply extends Answer = Answer> {
  /** One line, under 80 characters. */
  readonly summary: string
  /** Behaviour a client must know: selection, order, limits, units. */
  readonly description: string
  /** True for the operations of the specification; false for the siblings a product needs. */
  readonly inSpecification: boolean
  /** How much of request and response the specification fixes. */
  readonly specified: 'full' | 'partial' | 'open'
  /** What the specification leaves open and what stands here instead; required unless 'full'. */
  readonly note?: string
  readonly request: Request
  readonly answer: Reply
  /** The least role that may call. */
  readonly role: Role
  readonly access: 'read' | 'write'
  /** Kinds of key beside EXTERNAL_API that may call. */
  readonly keyKinds?: readonly KeyKind[]
  /** True: only a signed-in browser session, never a key. */
  readonly sessionOnly?: boolean
  readonly bodyLimit?: 'standard' | 'import'
  /** Additional codes, beside those every operation can give. */
  readonly errors: readonly ErrorCode[]
  /** True when a second identical call changes nothing more. Reads are. */
  readonly idempotent: boolean
  readonly example: Example
}

/** An operation in the registry: the definition with its name and group. */
export type Operation<Definition extends OperationDefinition = OperationDefinition> = Definition & {
  readonly name: string
  readonly group: GroupName
}

/** Declares one operation; exists to check the shape and keep the precise types. */
export function operation<Request extends RequestFields, Reply extends Answer>(
  definition: OperationDefinition<Request, Reply>,
): OperationDefinition<Request, Reply> {
  return definition
}

/** No additional fields. */
type NoFields = Record<never, RecordField>

/** A wide answer. `extra` and `fills` as in {@link WideAnswer}. */
export function wide<Fields extends RecordFields, const Fills extends readonly (keyof Fields & string)[]>(
  record: WideRecord<Fields>,
  fills: Fills,
): WideAnswer<Fields, NoFields, Fills[number]>
export function wide<
  Fields extends RecordFields,
  Extra extends RecordFields,
  const Fills extends readonly ((keyof Fields | keyof Extra) & string)[],
>(record: WideRecord<Fields>, fills: Fills, extra: Extra): WideAnswer<Fields, Extra, Fills[number]>
export function wide(record: WideRecord, fills: readonly string[], extra: RecordFields = {}): WideAnswer {
  return { shape: 'wide', record, fills, extra }
}

export function root<Schema extends TSchema>(schema: Schema): RootAnswer<Schema> {
  return { shape: 'root', schema }
}

/** Status 200 with no content. */
export const none: EmptyAnswer = { shape: 'none' }

/** Stamps name and group on the entries of one group. The key of an entry is its name on the wire. */
export function group<Entries extends Record<string, OperationDefinition>>(
  name: GroupName,
  entries: Entries,
): { readonly [Name in keyof Entries]: Operation<Entries[Name]> } {
  const stamped = Object.entries(entries).map(([key, entry]) => [key, { ...entry, name: key, group: name }])
  return Object.fromEntries(stamped) as { readonly [Name in keyof Entries]: Operation<Entries[Name]> }
}

/** The value type of a root answer's schema. */
export type RootValue<Reply> = Reply extends RootAnswer<infer Schema> ? Static<Schema> : never
