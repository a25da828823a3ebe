import { detectDataTypes, type TypeRules, type ValueContext } from '../../../data-types/index.ts'

const MAX_VALUE_LENGTH = 65_536

/** The text that the detectors are shown, or null for a value that they do not judge. */
export function judgedText(value: unknown): string | null {
  if (typeof value === 'string') return value.length > MAX_VALUE_LENGTH ? null : value
  return typeof value === 'number' ? String(value) : null
}

/** The first of the built-in types of a text that is looked for. */
export function builtInType(
  text: string,
  context: ValueContext,
  { inactive }: TypeRules,
): string | undefined {
  const found = detectDataTypes(text, context)
  return inactive === null ? found[0]?.name : found.find(({ name }) => !inactive.has(name))?.name
}

/**
 * All types of a value, its own first: what people defined goes before what Vigil knows, and what is sensitive here
 * before what is not, so that a definition never hides a sensitive value.
 */
export function withCustomTypes(
  text: string,
  known: string,
  context: ValueContext,
  { custom, isSensitive }: TypeRules,
): readonly string[] {
  const found = custom!.detect(text, context)
  if (found.length === 0) return [known]
  const concerns = (name: string): boolean => isSensitive(name, context.location, context.key)
  const types = concerns(known) ? [...found, known] : found
  return types.some(concerns)
    ? [...types.filter(concerns), ...types.filter((name) => !concerns(name))]
    : types
}

/** Finds the type of each value of a sample, and learns nothing from it. */
export function typesOfValue(value: unknown, context: ValueContext, rules: TypeRules): readonly string[] {
  const text = judgedText(value)
  const known = text === null ? undefined : builtInType(text, context, rules)
  if (rules.custom === null || value === null || typeof value === 'object')
    return known === undefined ? [] : [known]
  const types = withCustomTypes(text ?? String(value), known ?? '', context, rules)
  return types.filter((type) => type !== '')
}
