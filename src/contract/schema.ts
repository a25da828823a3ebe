import Type, { type Static, type TSchema, type TSchemaOptions, type TUnsafe } from 'typebox'

/** Smallest and largest value of the 32-bit signed integers that the interface speaks of. */
export const int32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 } as const

/** A 32-bit signed integer. */
export function integer(options: TSchemaOptions = {}) {
  return Type.Integer({ ...int32, ...options })
}

/**
 * Whole seconds since 1970-01-01T00:00:00Z. In requests, milliseconds and fractions are recognized and read as whole
 * seconds.
 */
export function epochSeconds(description = 'Epoch seconds.') {
  return Type.Integer({ ...int32, format: 'epoch-seconds', description })
}

/** An integer that may pass the 32-bit limit: byte counts, message counts. */
export function count(description?: string) {
  return Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })
}

/** A number that need not be whole. */
export function decimal(options: TSchemaOptions = {}) {
  return Type.Number(options)
}

/** True or false. */
export function flag(options: TSchemaOptions = {}) {
  return Type.Boolean(options)
}

/** Text on one or more lines; in requests it must not hold the character U+0000. */
export function text(options: TSchemaOptions = {}) {
  return Type.String(options)
}

/** A whole document as text (a file, a message, a body): taken byte for byte, U+0000 included. */
export function document(options: TSchemaOptions = {}) {
  return Type.String({ format: 'document', ...options })
}

/** A password: taken as it is, and hidden in forms. */
export function password(options: TSchemaOptions = {}) {
  return Type.String({ format: 'password', ...options })
}

/** One of a closed list of words. */
export function oneOf<const Words extends readonly string[]>(words: Words, options: TSchemaOptions = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

/** 24 lowercase or uppercase hex characters, the written form of an identifier. */
export function hexId(options: TSchemaOptions = {}) {
  return Type.String({ pattern: '^[0-9a-fA-F]{24}$', ...options })
}

export function list<Item extends TSchema>(item: Item, options: TSchemaOptions = {}) {
  return Type.Array(item, options)
}

/** An object whose keys are data (collection ids, severities, test ids) and whose values share one type. */
export function mapOf<Value extends TSchema>(
  value: Value,
  options: TSchemaOptions = {},
): TUnsafe<Record<string, Static<Value>>> {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  })
}

/** An object of which the contract fixes nothing. */
export function openObject(options: TSchemaOptions = {}) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
}

/** Any JSON value. */
export function anything(options: TSchemaOptions = {}) {
  return Type.Unknown(options)
}

/** The value or null. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }] })
}

/** Either of several types; the reader takes the first that fits the JSON type of the value. */
export function either<Schemas extends TSchema[]>(...schemas: Schemas): TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({ anyOf: schemas })
}

/** A named record; the name becomes the component name in the OpenAPI document and must be unique. */
export function model<Properties extends Record<string, TSchema>>(
  name: string,
  description: string,
  properties: Properties,
) {
  return Type.Object(properties, { title: name, description })
}

/** Marks a property of a {@link model} as one that may be absent. */
export function absentable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(schema)
}
