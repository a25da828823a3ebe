import { conditionSchema, type Json, OPERANDS, SCALARS } from '../../rules/index.ts'
import type { ModificationDefinition } from '../modifications/modification.ts'
import { MODIFICATIONS } from '../modifications/registry.generated.ts'
import { TEMPLATE_KEYS } from './parse-template.ts'
import { DURATIONS, INFO_KEYS, NATURES, PLANS } from './read-info.ts'
import { CAUSE_SCOPES, EXECUTE_TYPES, POSITION_PARTS, SEVERITIES } from './template.ts'

export type { Json } from '../../rules/index.ts'

const CONDITION: Json = { $ref: '#/$defs/condition' }
/** Every key at the top of a test, in a sentence. */
export const KEY_SUMMARIES: Readonly<Record<(typeof TEMPLATE_KEYS)[number], string>> = {
  id: 'Name of the test among all others, at most 200 characters.',
  info: 'What people read about it.',
  attributes: '`plan`, `nature` (INTRUSIVE runs alone on its endpoint) and `duration` (SLOW runs last).',
  auth: '`authenticated: true`: the sample carries a credential, and the endpoint refuses without it; `false`: it carries none. `headers` names the credentials.',
  api_selection_filters: 'Condition on the sample: whether the test applies to an endpoint.',
  wordLists: 'Names with the words that placeholders stand for.',
  execute: 'The requests that are built from the sample.',
  positions:
    'Builds the requests for every named value `in` the `query` or the `body`, every parameter of the `path`, or every `header` and cookie that is not of the protocol, a browser or a tracker (10 at most), one after another. The fixed last segment of a path is tried too if the application takes other values there. `variable` takes its name, or the number of its segment from 1; `${position_value}` is its recorded value. Names that match `likely` come first and get every payload; the others get the first one, and the rest if they react to it differently than to a harmless text. With `recorded`, only positions are tried whose recorded value matches it. A `probe` replaces the first payload there: positions that do not react to it get no payload. Passwords are skipped unless `secrets` is true.',
  fields:
    'Builds the requests for one candidate of a field after another: `variable` takes its name and `<variable>_value` its value. Fields of recorded messages whose names match `names` come first, else `name` is tried; with `values`, and before them with recorded values if `recorded_values` is true. Fields that users were recorded sending are left out if `set_by_users` is true. A field that objects were not seen with must be kept where one with an invented name is not.',
  validate: 'Condition on each answer: whether it shows the weakness.',
  dynamic_severity:
    'List of `check` and `return`; the first check that holds on the sample gives the severity, else the last entry without one.',
  strategy: '`run_once`: one endpoint of each collection. `insertVulnApi` is known and has no effect.',
  cause:
    'Which findings are one issue: those of a `host`, `collection`, `endpoint` or `parameter`, or `scope` and `family`; tests of one family share an issue. By default the category decides. `within` names a more general test: where it finds something on the same endpoint too, this test reports nothing.',
  inactive: 'Left out of runs, until a person switches the test on.',
  estimatedTokens: 'Known and ignored.',
}

/** Every key of `info`, in a sentence. */
export const INFO_SUMMARIES: Readonly<Record<(typeof INFO_KEYS)[number], string>> = {
  name: 'Title.',
  description: 'What it finds.',
  details: 'How it finds it.',
  impact: 'What follows from the weakness.',
  remediation: 'How to fix it, in Markdown, if no file in `remediation` says it.',
  category: '`name`, `shortName` and `displayName` of its category.',
  subCategory: 'Always the id; the value here is ignored.',
  severity: 'CRITICAL, HIGH, MEDIUM, LOW, INFO, or dynamic_severity.',
  tags: 'Words to find it by.',
  references: 'Addresses to read on.',
  cwe: 'Weaknesses (CWE).',
  cve: 'Known vulnerabilities (CVE).',
  compliance: 'Standard to the clauses that the weakness touches.',
  agenticTestingAllowed: 'Known and ignored.',
  onlySmartTestingAllowed: 'Only an agent can judge it: the test loads and is left out of runs.',
}

/** What steers the flow between requests, by its key. */
export const FLOW_SCHEMAS: Json = {
  validate: {
    ...CONDITION,
    description: 'Judges the answers of this request in place of the condition of the template.',
  },
  success: {
    type: 'string',
    description:
      'Where to go when the request validates: x2, vulnerable, exit, or untested when the test then has no verdict.',
  },
  failure: { type: 'string', description: 'Where to go when it does not.' },
  wait: { type: 'number', minimum: 0, maximum: 100, description: 'Seconds to wait before the request.' },
  test_name: { type: 'string', description: 'Id of another test to run in place of operations.' },
  label: { type: 'string' },
}

function operationSchema({ arguments: kinds, forms = {}, summary }: ModificationDefinition): Json {
  const shapes: Json[] = []
  if (kinds.includes('single')) shapes.push(OPERANDS)
  if (kinds.includes('pairs')) shapes.push({ type: 'object', minProperties: 1 })
  if (kinds.includes('forms') && !kinds.includes('pairs'))
    shapes.push({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(forms).map(([form, keys]) => [form, formSchema(keys)])),
    })
  return { description: summary, anyOf: shapes }
}

function formSchema(keys: readonly string[]): Json {
  if (keys.length === 0) return {}
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      keys.map((key) => [key, key === 'location' ? { type: ['integer', 'string'] } : SCALARS]),
    ),
  }
}

function executeSchema(): Json {
  const operations = Object.fromEntries(
    MODIFICATIONS.map((definition) => [definition.name, operationSchema(definition)]),
  )
  const entry = {
    type: 'object',
    properties: { ...operations, ...FLOW_SCHEMAS },
    patternProperties: { '^\\$\\{.+\\}$': { type: 'object', description: 'A loop over a captured list.' } },
    additionalProperties: false,
  }
  const request = {
    type: 'object',
    properties: { req: { anyOf: [{ type: 'array', items: entry }, entry] } },
    required: ['req'],
    additionalProperties: false,
  }
  return {
    type: 'object',
    properties: { type: { enum: EXECUTE_TYPES }, requests: { type: 'array', items: request } },
    required: ['type', 'requests'],
  }
}

/** JSON Schema (2020-12) of a security test. It knows every name, but not where each may stand. */
export function templateSchema(): Json {
  const text = { type: 'string' }
  const texts = { anyOf: [{ type: ['string', 'null'] }, { type: 'array', items: SCALARS }] }
  const category = {
    type: 'object',
    properties: { name: text, shortName: text, displayName: text },
    required: ['name'],
    additionalProperties: false,
  }
  const lists = new Set(['tags', 'references', 'cwe', 'cve'])
  const shapes: Json = {
    category,
    severity: { enum: [...SEVERITIES, 'dynamic_severity'] },
    compliance: { type: 'object' },
    agenticTestingAllowed: { type: 'boolean' },
    onlySmartTestingAllowed: { type: 'boolean' },
  }
  const info = Object.fromEntries(
    INFO_KEYS.map((key) => [
      key,
      { description: INFO_SUMMARIES[key], ...((shapes[key] ?? (lists.has(key) ? texts : text)) as Json) },
    ]),
  )
  const tops: Json = {
    id: { ...text, minLength: 1, maxLength: 200 },
    info: {
      type: 'object',
      properties: info,
      required: ['name', 'category', 'severity'],
      additionalProperties: false,
    },
    attributes: {
      type: 'object',
      properties: { plan: { enum: PLANS }, nature: { enum: NATURES }, duration: { enum: DURATIONS } },
      additionalProperties: false,
    },
    auth: {
      type: 'object',
      properties: { authenticated: { type: 'boolean' }, headers: texts },
      additionalProperties: false,
    },
    api_selection_filters: CONDITION,
    wordLists: { type: 'object' },
    execute: { $ref: '#/$defs/execute' },
    positions: {
      type: 'object',
      properties: {
        in: { enum: POSITION_PARTS },
        variable: text,
        likely: text,
        recorded: text,
        probe: text,
        secrets: { type: 'boolean' },
      },
      required: ['in', 'variable'],
      additionalProperties: false,
    },
    fields: {
      type: 'object',
      properties: {
        variable: text,
        names: text,
        name: text,
        values: OPERANDS,
        recorded_values: { type: 'boolean' },
        set_by_users: { type: 'boolean' },
      },
      required: ['variable', 'names', 'name', 'values'],
      additionalProperties: false,
    },
    validate: CONDITION,
    dynamic_severity: {
      type: 'array',
      items: {
        type: 'object',
        properties: { check: CONDITION, return: { enum: SEVERITIES } },
        required: ['return'],
      },
    },
    strategy: { type: 'object', properties: { run_once: SCALARS, insertVulnApi: { type: 'boolean' } } },
    cause: {
      anyOf: [
        { enum: CAUSE_SCOPES },
        {
          type: 'object',
          properties: { scope: { enum: CAUSE_SCOPES }, family: text, within: text },
          additionalProperties: false,
        },
      ],
    },
    inactive: { type: 'boolean' },
    estimatedTokens: { type: 'integer' },
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vigil security test',
    type: 'object',
    properties: Object.fromEntries(
      TEMPLATE_KEYS.map((key) => [key, { description: KEY_SUMMARIES[key], ...(tops[key] as Json) }]),
    ),
    required: ['id', 'info', 'api_selection_filters', 'execute'],
    $defs: { condition: conditionSchema(), execute: executeSchema() },
  }
}
