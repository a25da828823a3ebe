import { group, operation, root } from '../operation.ts'
import { dataType, dataTypeConditions, typeImpactPlace } from '../records/data-type.ts'
import { optional, required } from '../request-field.ts'
import { count, flag, list, model, oneOf, text } from '../schema.ts'
import { sensitivePositions, severities } from '../vocabulary.ts'
import { exampleKey } from './collection-endpoints.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const keyConditions = { operator: 'OR', predicates: [{ type: 'CONTAINS', value: 'membership' }] }
const valueConditions = { operator: 'AND', predicates: [{ type: 'REGEX', value: 'M-[0-9]{8}' }] }

const exampleType = {
  name: 'MEMBERSHIP_NUMBER',
  builtIn: false,
  active: true,
  severity: 'MEDIUM',
  categories: ['PII'],
  sensitiveAlways: true,
  sensitivePosition: [],
  redacted: false,
  operator: 'AND',
  keyConditions,
  valueConditions,
  description: null,
  updatedBy: 'ada@example.org',
  timestamp: 1769854500,
}

/** A data type as callers describe it. */
const settings = {
  name: required(text(), 'Capital letters, digits and underscores, 1 to 60.'),
  active: optional(flag(), 'Whether values are looked for.', { default: true }),
  severity: optional(oneOf(severities), 'Severity.', { default: 'MEDIUM' }),
  categories: optional(list(text({ maxLength: 60 }), { maxItems: 20 }), 'Categories.', { default: [] }),
  sensitiveAlways: optional(flag(), 'Sensitive at every position.', { default: true }),
  sensitivePosition: optional(list(oneOf(sensitivePositions)), 'Positions at which it is sensitive.', {
    default: [],
  }),
  redacted: optional(flag(), 'Whether values are masked before storage.', { default: false }),
  operator: optional(oneOf(['AND', 'OR']), 'How key and value conditions combine.', { default: 'AND' }),
  keyConditions: optional(dataTypeConditions, 'Conditions on the name of the parameter.'),
  valueConditions: optional(dataTypeConditions, 'Conditions on the value.'),
  description: optional(text({ maxLength: 2000 }), 'Free text.'),
}

/** What counts as sensitive data, by their wire names. */
export const dataTypeOperations = group('inventory', {
  fetchDataTypes: operation({
    ...shared,
    summary: 'Lists the data types',
    description: 'Built-in types first, then those made by users, by name.',
    request: {},
    answer: root(model('DataTypes', 'All data types.', { dataTypes: list(dataType) })),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: {}, response: { dataTypes: [exampleType] } },
  }),

  saveCustomDataType: operation({
    ...shared,
    summary: 'Creates or changes a data type',
    description:
      'A name that exists is changed. Of a built-in type only active, redacted and where it is sensitive can be changed. Holds for later messages, and for stored samples in the background.',
    request: settings,
    answer: root(model('DataTypeSaved', 'The stored data type.', { dataType })),
    role: 'MEMBER',
    access: 'write',
    errors: ['INVALID_DATA_TYPE_NAME', 'INVALID_DATA_TYPE', 'INVALID_REGEX', 'DATA_TYPE_FIXED'],
    idempotent: true,
    example: {
      request: {
        name: 'MEMBERSHIP_NUMBER',
        categories: ['PII'],
        operator: 'AND',
        keyConditions,
        valueConditions,
      },
      response: { dataType: exampleType },
    },
  }),

  previewDataType: operation({
    ...shared,
    summary: 'Shows what saving a data type would change',
    description:
      'Judges the newest 1,000 samples of the caller’s collections by the type as it is and as it would be, and stores nothing. At most 200 changed places; values are not shown.',
    request: settings,
    answer: root(
      model('DataTypeImpact', 'What a data type would change in the samples that are kept.', {
        samples: count('Samples that were looked at.'),
        isCut: flag({ description: 'There are older samples that were not looked at.' }),
        parameters: count('Parameters at which it would be found.'),
        endpoints: count('Endpoints at which it would be found.'),
        changedCount: count('Parameters at which that differs from now.'),
        changed: list(typeImpactPlace),
      }),
    ),
    role: 'MEMBER',
    access: 'read',
    errors: ['INVALID_DATA_TYPE_NAME', 'INVALID_DATA_TYPE', 'INVALID_REGEX', 'DATA_TYPE_FIXED'],
    idempotent: true,
    example: {
      request: { name: 'MEMBERSHIP_NUMBER', operator: 'AND', keyConditions, valueConditions },
      response: {
        samples: 240,
        isCut: false,
        parameters: 1,
        endpoints: 1,
        changedCount: 1,
        changed: [
          {
            apiInfoKey: exampleKey,
            displayName: 'membershipNumber',
            position: 'RESPONSE_BODY',
            responseCode: 200,
            before: 'NONE',
            after: 'SENSITIVE',
          },
        ],
      },
    },
  }),
})
