import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** One thing that does not fit its schema. */
interface Misfit {
  /** Keys and indexes from the outside in; empty for the value itself. */
  readonly path: readonly string[]
  /** What the schema wants, for developers; never shown to a caller. */
  readonly reason: string
}

/** The first misfit of a value, or null. A schema is compiled once, at its first use. */
export function firstMisfit(schema: TSchema, value: unknown): Misfit | null {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (validate(value)) return null
  const error = validate.errors?.[0]
  return { path: pointerParts(error?.instancePath ?? ''), reason: error?.message ?? 'does not fit' }
}

function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
