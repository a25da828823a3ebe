import Type, { type TSchema } from 'typebox'
import { coerce, holdsNul } from './coerce.ts'
import { failure } from './describe-failure.ts'
import type { Operation } from './operation.ts'
import { referenceDefaults } from './reference/index.ts'
import { operations } from './registry.ts'
import type { RequestField } from './request-field.ts'
import { nullable } from './schema.ts'
import type { OperationName, RequestOf } from './types.ts'
import { firstMisfit } from './validators.ts'
import type { Compatibility } from './vocabulary.ts'

type Body = Record<string, unknown>

const schemas = new WeakMap<Operation, TSchema>()

/** Formats of text in which the word null is data, not an absent value. */
const LITERAL_FORMATS: readonly unknown[] = ['document', 'password']

/**
 * Reads the parsed body of a call. Throws INVALID_JSON_BODY when it is not an object, FIELD_REQUIRED when a field
 * marked (R) is absent (or null without a default), INVALID_FIELD when a value does not fit. An absent body
 * (undefined) reads as `{}`. The result has every field of the operation and no other.
 *
 * With `reference`, absent fields marked (R) take their defaults, as the reference platform does (see reference/).
 */
export function readRequest<Name extends OperationName>(
  name: Name,
  body: unknown,
  compatibility: Compatibility = 'specification',
): RequestOf<Name> {
  const operation: Operation = operations[name]
  const sent = body === undefined ? {} : body
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw failure('INVALID_JSON_BODY')
  const defaults = compatibility === 'reference' ? referenceDefaults(name) : null
  const read: Body = {}
  for (const [key, field] of Object.entries(operation.request)) {
    read[key] = readField(key, field, sent as Body, defaults)
  }
  const misfit = firstMisfit(normalisedSchema(operation), read)
  if (misfit !== null) throw failure('INVALID_FIELD', { field: fieldName(operation, misfit.path) })
  for (const [key, field] of Object.entries(operation.request)) {
    if (holdsNul(field.schema, read[key])) throw failure('INVALID_FIELD', { field: key })
  }
  return read as RequestOf<Name>
}

/** Names of fields that the contract declares, from the outside in; names of the caller's own are not repeated. */
function fieldName(operation: Operation, [first, ...inner]: readonly string[]): string {
  if (first === undefined) return 'body'
  const names = [first]
  let schema = operation.request[first]?.schema
  for (const name of inner) {
    schema = propertyOf(schema, name)
    if (schema === undefined) break
    names.push(name)
  }
  return names.join('.')
}

function propertyOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties, anyOf } = (schema ?? {}) as { properties?: Body; anyOf?: TSchema[] }
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name] as TSchema
  return anyOf?.map((branch) => propertyOf(branch, name)).find((found) => found !== undefined)
}

/** @param defaults What absent fields mean to clients of the reference; null for all other clients. */
function readField(key: string, field: RequestField, sent: Body, defaults: Body | null): unknown {
  const value = sentValue(key, field, sent)
  if (value !== undefined && value !== null) {
    const coerced = coerce(field.schema, value)
    return field.applied === null ? coerced : field.applied(coerced)
  }
  if (defaults !== null && Object.hasOwn(defaults, key)) return structuredClone(defaults[key])
  if (value === undefined && field.needed && defaults === null && !isExempt(field, sent)) {
    throw failure(field.refusal ?? 'FIELD_REQUIRED', { field: key })
  }
  if (field.hasDefault) return structuredClone(field.defaultValue)
  if (field.needed && !isExempt(field, sent)) throw failure(field.refusal ?? 'FIELD_REQUIRED', { field: key })
  return null
}

/** The value of a field; the text "null", which some clients send for values that they lack, is an absent one. */
function sentValue(key: string, field: RequestField, sent: Body): unknown {
  const value = ownValue(key, field, sent)
  if (value !== 'null') return value
  return isLiteral(field.schema) ? value : null
}

function isLiteral(schema: TSchema): boolean {
  const { format, anyOf } = schema as { format?: unknown; anyOf?: TSchema[] }
  return LITERAL_FORMATS.includes(format) || anyOf?.some(isLiteral) === true
}

function ownValue(key: string, field: RequestField, sent: Body): unknown {
  if (Object.hasOwn(sent, key)) return sent[key]
  if (field.alias !== null && Object.hasOwn(sent, field.alias)) return sent[field.alias]
  return undefined
}

function isExempt(field: RequestField, sent: Body): boolean {
  if (field.exempt === null) return false
  if (field.exempt === 'always') return true
  const other = field.exempt.whenPresent
  return Object.hasOwn(sent, other) && sent[other] !== null
}

/** Schema of the value {@link readRequest} returns: every field there, null where the contract lets null through. */
function normalisedSchema(operation: Operation): TSchema {
  let schema = schemas.get(operation)
  if (schema === undefined) {
    const fields = Object.entries(operation.request).map(([key, field]) => [
      key,
      letsNullThrough(field) ? nullable(field.schema) : field.schema,
    ])
    schema = Type.Object(Object.fromEntries(fields) as Record<string, TSchema>)
    schemas.set(operation, schema)
  }
  return schema
}

function letsNullThrough(field: RequestField): boolean {
  if (field.hasDefault) return field.defaultValue === null
  return !field.needed || field.exempt !== null
}
