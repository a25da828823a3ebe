import { detectDataTypes } from './detect.ts'
import type { TypeRules } from './type-rules.ts'

/** Tells whether a value, as it stands under a key, is of a data type. */
export type TypeMatcher = (name: string, key: string, value: unknown) => boolean

/** Longer texts are not judged. */
const MAX_VALUE_LENGTH = 65_536

/**
 * Matcher for built-in types that are not switched off, and those that people defined. Names are compared without case.
 * Values other than texts, numbers and booleans are of no type.
 */
export function typeMatcherOf({ custom, inactive }: TypeRules): TypeMatcher {
  return (name, key, value) => {
    const wanted = name.toUpperCase()
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false
    const text = String(value)
    if (text.length > MAX_VALUE_LENGTH) return false
    const context = { key, parentKey: '', location: 'RESPONSE_PAYLOAD' } as const
    if (custom?.detect(text, context).includes(wanted)) return true
    if (inactive?.has(wanted)) return false
    return typeof value !== 'boolean' && detectDataTypes(text, context).some((type) => type.name === wanted)
  }
}
