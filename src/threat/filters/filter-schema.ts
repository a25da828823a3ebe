import { conditionSchema, type Json, SCALARS } from '../../rules/index.ts'
import { FILTER_KEYS } from './compile-filter.ts'
import { SEVERITIES } from './filter.ts'
import { FILTER_INFO_KEYS } from './read-info.ts'
import { DISTINCT_SOURCES, RULE_KEYS } from './read-rules.ts'

const TEXT: Json = { type: 'string' }
const TEXTS: Json = { anyOf: [{ type: ['string', 'null'] }, { type: 'array', items: SCALARS }] }
const CONDITION: Json = { $ref: '#/$defs/condition' }

/** Keys with what they mean, and the shape of those that are not texts. */
function described(summaries: Readonly<Record<string, string>>, shapes: Json): Json {
  return Object.fromEntries(
    Object.entries(summaries).map(([key, description]) => [
      key,
      { description, ...((shapes[key] ?? TEXT) as Json) },
    ]),
  )
}

function infoSchema(): Json {
  const category = {
    type: 'object',
    properties: { name: TEXT, displayName: TEXT, shortName: TEXT },
    required: ['name'],
    additionalProperties: false,
  }
  const lists = { references: TEXTS, tags: TEXTS, cwe: TEXTS, cve: TEXTS }
  return {
    type: 'object',
    properties: described(FILTER_INFO_KEYS, {
      ...lists,
      category,
      severity: { enum: SEVERITIES },
      compliance: { type: 'object' },
    }),
    required: ['category', 'severity'],
    additionalProperties: false,
  }
}

function ruleSchema(): Json {
  const distinct = {
    type: 'object',
    properties: { count: { type: 'integer' }, source: { enum: DISTINCT_SOURCES }, key: TEXT },
    additionalProperties: false,
  }
  const condition = {
    type: 'object',
    properties: described(RULE_KEYS, {
      matchCount: { type: 'integer' },
      windowThreshold: { type: 'integer' },
      distinctIdentifier: distinct,
      perEndpoint: { type: 'boolean' },
    }),
    additionalProperties: false,
  }
  const rule = {
    type: 'object',
    properties: { name: TEXT, condition },
    required: ['name', 'condition'],
    additionalProperties: false,
  }
  return { type: 'object', properties: { rule }, required: ['rule'] }
}

/** JSON Schema (2020-12) of a filter of live traffic. It knows every name, but not where each may stand. */
export function filterSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vigil threat filter',
    type: 'object',
    properties: described(FILTER_KEYS, {
      filter: CONDITION,
      success_filter: CONDITION,
      failure_filter: CONDITION,
      ignore: CONDITION,
      aggregation_rules: { type: 'array', items: ruleSchema() },
      info: infoSchema(),
      wordLists: { type: 'object' },
      execute: {},
    }),
    required: ['id', 'info'],
    $defs: { condition: conditionSchema() },
  }
}
