import type { Static } from 'typebox'
import { epochSeconds, flag, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { parameterPositions, predicateTypes, sensitivePositions, severities } from '../vocabulary.ts'
import { endpointKey } from './endpoint-key.ts'

export const dataTypeConditions = model('DataTypeConditions', 'Predicates on a key or a value.', {
  operator: oneOf(['AND', 'OR']),
  predicates: list(
    model('DataTypePredicate', 'One predicate.', {
      type: oneOf(predicateTypes, {
        description:
          'REGEX matches the whole text, in RE2 syntax: a pattern of at most 2,000 states, on texts of at most 500,000 characters divided by them.',
      }),
      value: text({ maxLength: 1000, description: 'Empty for IS_NUMBER.' }),
    }),
    { maxItems: 50 },
  ),
})

export const dataType = model('DataType', 'A data type, built in or made by a user.', {
  name: text(),
  builtIn: flag(),
  active: flag({ description: 'Whether values are looked for.' }),
  severity: oneOf(severities),
  categories: list(text()),
  sensitiveAlways: flag({ description: 'Sensitive at every position.' }),
  sensitivePosition: list(oneOf(sensitivePositions), {
    description: 'Read when it is not always sensitive.',
  }),
  redacted: flag({ description: 'Values are masked before storage in every collection.' }),
  operator: oneOf(['AND', 'OR'], { description: 'How key and value conditions combine.' }),
  keyConditions: nullable(dataTypeConditions),
  valueConditions: nullable(dataTypeConditions),
  description: nullable(text()),
  updatedBy: nullable(text({ description: 'E-mail address; null for built-in types.' })),
  timestamp: epochSeconds('Last change; 0 for built-in types.'),
})

/** Whether a type is found at a place, and is sensitive there. */
const typeFindings = ['NONE', 'FOUND', 'SENSITIVE'] as const

export const typeImpactPlace = model(
  'TypeImpactPlace',
  'A parameter at which a data type would be found otherwise.',
  {
    apiInfoKey: endpointKey,
    displayName: text({ description: 'Name for people: {orderId}, user.roles[].name.' }),
    position: oneOf(parameterPositions),
    responseCode: integer({ description: '-1 for the request.' }),
    before: oneOf(typeFindings, { description: 'NONE, FOUND, or SENSITIVE where it is a concern.' }),
    after: oneOf(typeFindings),
  },
)

export type TypeImpactPlace = Static<typeof typeImpactPlace>
export type DataType = Static<typeof dataType>
