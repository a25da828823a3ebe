import type { Static } from 'typebox'
import { document, epochSeconds, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { filterStates } from '../vocabulary.ts'
import { filled, wideRecord } from '../wide-record.ts'
import { compliance } from './test-template.ts'

const filterTemplate = model('FilterTemplate', 'A filter that watches traffic.', {
  id: text({ description: 'Id in the YAML.' }),
  author: text({ description: 'Who saved it first; the name of the library for shipped ones.' }),
  createdAt: epochSeconds(),
  updatedAt: epochSeconds(),
  content: document({ description: 'YAML.' }),
  state: oneOf(filterStates, {
    description: 'ON: inspects traffic. OFF: does not. DRAFT: saved so, and never switched on since.',
  }),
  shipped: nullable(
    document({ description: 'The newest shipped YAML of an edited filter, where it differs.' }),
  ),
  info: nullable(
    model('FilterInfo', 'What a filter finds; null when its stored YAML cannot be read.', {
      name: text(),
      description: nullable(text()),
      details: nullable(text()),
      impact: nullable(text()),
      remediation: nullable(text()),
      severity: text({ description: 'CRITICAL, HIGH, MEDIUM or LOW.' }),
      subCategory: text(),
      references: nullable(list(text())),
      tags: nullable(list(text())),
      cwe: nullable(list(text())),
      cve: nullable(list(text())),
      compliance: nullable(compliance),
      category: model('FilterCategory', 'Category of a filter.', {
        name: text(),
        displayName: text(),
        shortName: nullable(text()),
      }),
    }),
  ),
})

export const filterWarning = model('FilterWarning', 'What is odd about a filter that can be used.', {
  line: integer({ description: 'Line of the YAML, from 1.' }),
  path: text({ description: 'Keys from the top, joined by dots; empty for the whole.' }),
  message: text({ description: 'What is odd, and what to do about it.' }),
})

export const filterTemplateObject = wideRecord(
  'FilterTemplateObject',
  'Shared answer of the operations about filter templates.',
  {
    templates: filled(list(filterTemplate), null),
    content: filled(document({ description: 'YAML as it was sent.' }), null),
  },
)

export type FilterWarning = Static<typeof filterWarning>

export type FilterTemplate = Static<typeof filterTemplate>
