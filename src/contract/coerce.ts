import type { TSchema } from 'typebox'
import { int32 } from './schema.ts'

const INTEGER_TEXT = /^-?\d{1,16}$/
const DECIMAL_TEXT = /^-?\d{1,16}(\.\d{1,16})?$/

type Loose = Record<string, unknown>

/** Larger numbers cannot be seconds of an int32; they are milliseconds. */
const LAST_SECOND = int32.maximum

/**
 * Brings a value to the type its schema wants where the interface is lenient: integers and numbers as decimal
 * text, booleans as "true" or "false", times in milliseconds or with a fraction as whole seconds. Objects with fixed fields are copied field by field, so unknown keys (and
 * `__proto__` among them) fall away; open objects pass untouched. What does not fit is returned as it came, for the
 * validator to refuse. Depth of recursion is that of the schema, never that of the value.
 */
export function coerce(schema: TSchema, value: unknown): unknown {
  const shape = schema as Loose
  if (Array.isArray(shape['anyOf'])) return coerceToBranch(shape['anyOf'] as TSchema[], value)
  if (shape['format'] === 'epoch-seconds') return coerceSeconds(value)
  if (typeof value === 'string') return coerceText(shape['type'], value)
  if (typeof value !== 'object' || value === null) return value
  if (shape['type'] === 'array' && Array.isArray(value)) {
    const items = shape['items'] as TSchema | undefined
    return items === undefined ? value : value.map((item) => coerce(items, item))
  }
  if (shape['type'] === 'object' && !Array.isArray(value)) return coerceObject(shape, value as Loose)
  return value
}

function coerceSeconds(value: unknown): unknown {
  const time = typeof value === 'string' ? coerceText('number', value) : value
  if (typeof time !== 'number') return value
  return Math.floor(time > LAST_SECOND ? time / 1000 : time)
}

function coerceText(type: unknown, value: string): unknown {
  if (type === 'integer') return INTEGER_TEXT.test(value) ? Number(value) : value
  if (type === 'number') return DECIMAL_TEXT.test(value) ? Number(value) : value
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function coerceObject(shape: Loose, value: Loose): unknown {
  const properties = shape['properties'] as Record<string, TSchema> | undefined
  if (properties === undefined) return coerceMap(shape['additionalProperties'], value)
  const copy: Loose = {}
  for (const [key, schema] of Object.entries(properties)) {
    if (Object.hasOwn(value, key)) copy[key] = coerce(schema, value[key])
  }
  return copy
}

/** `fromEntries` defines own properties, so that a key `__proto__` stays a key. */
function coerceMap(values: unknown, map: Loose): unknown {
  if (typeof values !== 'object' || values === null) return map
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, coerce(values as TSchema, value)]),
  )
}

function coerceToBranch(branches: TSchema[], value: unknown): unknown {
  const type = jsonType(value)
  const exact = branches.find((branch) => accepts(branch, type))
  if (exact !== undefined) return coerce(exact, value)
  for (const branch of branches) {
    const coerced = coerce(branch, value)
    if (coerced !== value) return coerced
  }
  return value
}

function accepts(branch: TSchema, type: string): boolean {
  const wanted = (branch as Loose)['type']
  return wanted === type || (wanted === 'integer' && type === 'number')
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** True when declared text (documents excepted) holds the character U+0000, which the store cannot keep. */
export function holdsNul(schema: TSchema, value: unknown): boolean {
  const shape = schema as Loose
  if (typeof value === 'string' && shape['type'] === 'string') {
    return shape['format'] !== 'document' && value.includes('\u0000')
  }
  if (Array.isArray(shape['anyOf'])) {
    return (shape['anyOf'] as TSchema[]).some((branch) => holdsNul(branch, value))
  }
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    const items = shape['items'] as TSchema | undefined
    return items !== undefined && value.some((item) => holdsNul(items, item))
  }
  const values = shape['additionalProperties']
  if (typeof values === 'object' && values !== null) {
    return Object.entries(value).some(
      ([key, inner]) => key.includes('\u0000') || holdsNul(values as TSchema, inner),
    )
  }
  const properties = (shape['properties'] ?? {}) as Record<string, TSchema>
  return Object.entries(properties).some(
    ([key, inner]) => Object.hasOwn(value, key) && holdsNul(inner, (value as Loose)[key]),
  )
}
