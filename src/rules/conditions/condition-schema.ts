import { OPERATORS } from '../operators/registry.generated.ts'
import { TERMS } from '../terms/registry.generated.ts'
import { CONTEXTS } from './contexts/registry.generated.ts'
import { conditionWords } from './words.ts'

/** A JSON Schema, or a part of one. */
export type Json = Record<string, unknown>

/** A single value. */
export const SCALARS: Json = { type: ['string', 'number', 'boolean'] }
/** A single value or a list of them. */
export const OPERANDS: Json = { anyOf: [SCALARS, { type: 'array', items: SCALARS }] }
const CONDITION: Json = { $ref: '#/$defs/condition' }

/** JSON Schema of a condition, to be put under `#/$defs/condition`. It knows every word, but not where each may stand. */
export function conditionSchema(): Json {
  const operators = OPERATORS.map(({ name, summary }) => [name, { description: summary, ...OPERANDS }])
  const nested: Json = { anyOf: [CONDITION, { type: 'array', items: CONDITION }] }
  const told = new Map<string, string>([...TERMS, ...CONTEXTS].map(({ name, summary }) => [name, summary]))
  const known = new Set(OPERATORS.map(({ name }) => name))
  const others = conditionWords
    .filter((word) => !known.has(word))
    .map((word) => [
      word,
      told.has(word)
        ? { description: told.get(word), anyOf: [nested, OPERANDS] }
        : { anyOf: [nested, OPERANDS] },
    ])
  return {
    type: 'object',
    properties: Object.fromEntries([...others, ...operators]),
    additionalProperties: false,
  }
}
