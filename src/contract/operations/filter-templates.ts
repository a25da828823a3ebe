import { group, operation, root, wide } from '../operation.ts'
import { filterTemplateObject, filterWarning } from '../records/filter-template.ts'
import { optional, required } from '../request-field.ts'
import { document, flag, list, model, oneOf, text } from '../schema.ts'
import { filterStates } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'

/** A small filter, for examples. */
export const exampleFilter =
  'id: SQLInjection\nfilter:\n  or:\n    - request_payload:\n        regex: ["(?i)union\\\\s+select"]\ninfo:\n  name: SQL injection\n  category: {name: SQL_INJECTION, displayName: SQL Injection}\n  subCategory: SQL_INJECTION\n  severity: MEDIUM\n'

/** What is odd about a filter that was sent. */
export const filterWarnings = list(filterWarning, {
  description: 'What is odd about the filter, at most 100; it can be used all the same.',
})

/** Filter templates by their wire names. */
export const filterTemplateOperations = group('threat', {
  fetchFilterYamlTemplate: operation({
    summary: 'Lists the filter templates',
    description:
      'All templates by id. A stored one that can no longer be read has info null, so that it can be repaired.',
    inSpecification: true,
    specified: 'full',
    request: {
      withContent: optional(flag(), 'With the YAML; without it content is empty and shipped null.', {
        default: true,
      }),
    },
    answer: wide(filterTemplateObject, ['templates']),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: {
        templates: [
          {
            id: 'SQLInjection',
            author: 'ada@example.org',
            createdAt: 1769854500,
            updatedAt: 1769854500,
            content: exampleFilter,
            state: 'ON',
            shipped: null,
            info: {
              name: 'SQL injection',
              description: null,
              details: null,
              impact: null,
              remediation: null,
              severity: 'MEDIUM',
              subCategory: 'SQL_INJECTION',
              references: null,
              tags: null,
              cwe: null,
              cve: null,
              compliance: null,
              category: { name: 'SQL_INJECTION', displayName: 'SQL Injection', shortName: null },
            },
          },
        ],
      },
    },
  }),

  saveFilterYamlTemplate: operation({
    summary: 'Saves a filter template',
    description:
      'Creates or replaces the template of the id in the YAML and uses it at once, unless its state says otherwise; a changed id creates a second template. Errors are refused with line, key and remedy; warnings lists what is allowed but suspicious. id, filter (or success_filter, failure_filter), info.severity and info.category.name are needed; info.name defaults to the id, info.subCategory to the category. Patterns use RE2 syntax or Java syntax without back-references; all run in linear time, but lookahead and lookbehind are slower. An edited shipped template is not overwritten by newer versions.',
    inSpecification: true,
    specified: 'full',
    request: {
      content: required(document(), 'YAML of the template.'),
      state: optional(
        oneOf(filterStates),
        'OFF or DRAFT: it inspects no traffic. Without it a new filter is on, and an existing one stays as it is.',
      ),
    },
    answer: wide(filterTemplateObject, ['content', 'warnings'], {
      warnings: filled(
        list(filterWarning, {
          description: 'What is odd about the filter, at most 100; it is used all the same.',
        }),
        [],
      ),
    }),
    role: 'ADMIN',
    access: 'write',
    errors: [
      'FILTER_NOT_YAML',
      'FILTER_ID_EMPTY',
      'FILTER_ID_INVALID',
      'FILTER_EMPTY',
      'FILTER_KEY_REQUIRED',
      'FILTER_INVALID',
      'FILTER_UNKNOWN_KEY',
      'FILTER_INVALID_REGEX',
    ],
    idempotent: true,
    example: { request: { content: exampleFilter }, response: { content: exampleFilter, warnings: [] } },
  }),

  setFilterState: operation({
    summary: 'Switches filters on or off',
    description:
      'What is off or a draft inspects no traffic from now on, on other processes within seconds. Events that were found stay.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: {
      templateIds: required(list(text(), { minItems: 1, maxItems: 1000 }), 'Ids of filters.'),
      state: required(oneOf(filterStates), 'The state to set.'),
    },
    answer: root(
      model('SwitchedFilters', 'What was switched.', {
        templateIds: list(text(), { description: 'Those of them that are there, ascending.' }),
      }),
    ),
    role: 'ADMIN',
    access: 'write',
    errors: ['FILTER_NOT_FOUND'],
    idempotent: true,
    example: {
      request: { templateIds: ['SQLInjection'], state: 'OFF' },
      response: { templateIds: ['SQLInjection'] },
    },
  }),
})
