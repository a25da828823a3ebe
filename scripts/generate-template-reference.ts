/** The language of security tests for people (a page) and for editors (JSON Schema), from the definitions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTEXTS } from '../src/rules/conditions/contexts/registry.generated.ts'
import { conditionWords } from '../src/rules/index.ts'
import { OPERATORS } from '../src/rules/operators/registry.generated.ts'
import { TERMS } from '../src/rules/terms/registry.generated.ts'
import type { ModificationCase, ModificationDefinition } from '../src/testing/index.ts'
import { EXECUTE_TYPES, MODIFICATIONS, SEVERITIES, TEMPLATE_KEYS } from '../src/testing/index.ts'
import { DURATIONS, INFO_KEYS, NATURES, PLANS } from '../src/testing/template/read-info.ts'

const PAGE = 'docs/reference/test-templates.md'
const SCHEMA = 'docs/reference/test-template.schema.json'

type Json = Record<string, unknown>

const SCALARS: Json = { type: ['string', 'number', 'boolean'] }
const OPERANDS: Json = { anyOf: [SCALARS, { type: 'array', items: SCALARS }] }
const CONDITION: Json = { $ref: '#/$defs/condition' }
const FLOW: Json = {
  validate: {
    ...CONDITION,
    description: 'Judges the answers of this request in place of the condition of the template.',
  },
  success: { type: 'string', description: 'Where to go when the request validates: x2, vulnerable or exit.' },
  failure: { type: 'string', description: 'Where to go when it does not.' },
  wait: { type: 'number', minimum: 0, maximum: 100, description: 'Seconds to wait before the request.' },
  test_name: { type: 'string', description: 'Id of another test to run in place of operations.' },
  label: { type: 'string' },
}

function conditionSchema(): Json {
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
    properties: { ...operations, ...FLOW },
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
    INFO_KEYS.map((key) => [key, shapes[key] ?? (lists.has(key) ? texts : text)]),
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
    inactive: { type: 'boolean' },
    estimatedTokens: { type: 'integer' },
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Vigil security test',
    type: 'object',
    properties: Object.fromEntries(TEMPLATE_KEYS.map((key) => [key, tops[key]])),
    required: ['id', 'info', 'api_selection_filters', 'execute'],
    $defs: { condition: conditionSchema(), execute: executeSchema() },
  }
}

function table(rows: readonly { name: string; summary: string }[]): string {
  const cells = rows.map(({ name, summary }) => `| \`${name}\` | ${summary.replaceAll('|', '\\|')} |`)
  return ['| Name | Meaning |', '|---|---|', ...cells].join('\n')
}

function operationText(definition: ModificationDefinition): string {
  const forms = Object.entries(definition.forms ?? {}).map(
    ([form, keys]) =>
      `\`${form}\`${keys.length === 0 ? '' : ` (${keys.map((key) => `\`${key}\``).join(', ')})`}`,
  )
  const shapes = {
    single: 'one value',
    pairs: 'name and value, each pair by itself',
    forms: `a map with ${forms.join(' or ')}`,
  }
  const takes = definition.arguments.map((kind) => shapes[kind]).join('; ')
  const fails = definition.canFail ? ' Where it fails, nothing of the step is sent.' : ''
  return `### \`${definition.name}\`\n\n${definition.summary} Takes ${takes}.${fails}\n\n${definition.cases.map((one) => caseText(definition, one)).join('\n')}\n`
}

function caseText({ name }: ModificationDefinition, example: ModificationCase): string {
  const outcome =
    typeof example.becomes === 'object'
      ? `fails: ${example.becomes.failure}`
      : example.becomes === example.request || example.becomes === 'unchanged'
        ? 'the request stays as it is'
        : `\`${shown(example.request)}\` becomes \`${shown(example.becomes)}\``
  return `- ${example.title}: \`${name}: ${JSON.stringify(example.argument)}\`; ${outcome}`
}

/** Start line, and the headers and body without what every example has. */
function shown(request: string): string {
  return request
    .replace(' HTTP/1.1\n', ' ')
    .replace('host: shop.test\n', '')
    .replaceAll('\r\n', ' ')
    .replaceAll(/\n+/g, ' ')
    .replaceAll('`', "'")
    .trim()
}

/** The reference page. */
export function templatePage(): string {
  return `# Security tests: reference

This page is generated from the definitions. \`test-template.schema.json\` beside it gives editors the same names.

A test has these keys: ${TEMPLATE_KEYS.map((key) => `\`${key}\``).join(', ')}. \`api_selection_filters\` says on the sample of an endpoint whether the test applies, \`execute\` builds requests from the sample, \`validate\` judges each answer. A test that is malformed is refused, with the place of the fault.

## Terms of conditions

${table(TERMS)}

Below a term stand operators, \`and\`, \`or\`, \`for_one\`, \`for_all\`, \`key\`, \`value\`, \`length\`, \`percentage_match\`, \`percentage_match_schema\`, \`extract\` and \`extractMultiple\`. \`compare_greater\` compares two numbers, \`ssrf_url_hit\` asks for call-backs.

## Operators

${table(OPERATORS)}

## Contexts

${table(CONTEXTS)}

## Operations

\`execute\` has a \`type\` (${EXECUTE_TYPES.map((type) => `\`${type}\``).join(', ')}) and \`requests\`; each request has a list \`req\` of operations, carried out in order. Values of one text multiply over its word lists; values of different operations go side by side, shorter lists cycling. A step has at most 1,000 attempts.

${MODIFICATIONS.map(operationText).join('\n')}
## Flow

${table(Object.entries(FLOW).map(([name, schema]) => ({ name, summary: String((schema as Json)['description'] ?? (name === 'validate' ? 'Judges the answers of this request.' : 'A note; ignored.')) })))}
`
}

function contents(): [path: string, text: string][] {
  return [
    [PAGE, templatePage()],
    [SCHEMA, `${JSON.stringify(templateSchema(), null, 2)}\n`],
  ]
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return ''
  }
}

/** Paths of the files that are not what the definitions say. */
export function staleTemplateReference(root: string): string[] {
  return contents()
    .filter(([path, text]) => textOf(join(root, path)) !== text)
    .map(([path]) => path)
}

/** Writes the stale ones; returns their paths. */
export function generateTemplateReference(root: string): string[] {
  const stale = staleTemplateReference(root)
  mkdirSync(join(root, 'docs/reference'), { recursive: true })
  for (const [path, text] of contents()) if (stale.includes(path)) writeFileSync(join(root, path), text)
  return stale
}
