import type { Static, TSchema } from 'typebox'
import { nullable } from './schema.ts'

/** One field of an answer that many operations share: its type on the wire and what fills it where it means nothing. */
export interface RecordField<Value = unknown> {
  readonly schema: TSchema
  readonly filler: unknown
  /** Types only, never set. */
  readonly '~value'?: Value
}

/** The fields of a wide record by their wire names. */
export type RecordFields = Record<string, RecordField>

/** An answer object shared by several operations, of which each fills a part. */
export interface WideRecord<Fields extends RecordFields = RecordFields> {
  /** Component name in the OpenAPI document. */
  readonly name: string
  readonly description: string
  readonly fields: Fields
  /** Request fields that come back under the same name when the handler gives no value. */
  readonly echoes: readonly string[]
}

type FieldValue<Schema extends TSchema, Filler> = Filler extends null ? Static<Schema> | null : Static<Schema>

/** A field with its filler; a null filler makes the field nullable on the wire. */
export function filled<Schema extends TSchema, const Filler>(
  schema: Schema,
  filler: Filler,
): RecordField<FieldValue<Schema, Filler>> {
  return { schema: filler === null ? nullable(schema) : schema, filler } as RecordField<
    FieldValue<Schema, Filler>
  >
}

/** Several fields of one type and one filler. */
export function filledEach<
  const Names extends readonly string[],
  Schema extends TSchema,
  const Filler extends Static<Schema> | null,
>(
  names: Names,
  schema: Schema,
  filler: Filler,
): { [Name in Names[number]]: RecordField<FieldValue<Schema, Filler>> } {
  return Object.fromEntries(names.map((name) => [name, filled(schema, filler)])) as {
    [Name in Names[number]]: RecordField<FieldValue<Schema, Filler>>
  }
}

/** Declares a wide record. */
export function wideRecord<Fields extends RecordFields>(
  name: string,
  description: string,
  fields: Fields,
  echoes: readonly (keyof Fields & string)[] = [],
): WideRecord<Fields> {
  return { name, description, fields, echoes }
}
