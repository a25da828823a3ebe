/** The language of security tests for people (a page) and for editors (JSON Schema), from the definitions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTEXTS, conditionWords, OPERATORS, TERMS } from '../src/rules/index.ts'
import type { ModificationCase, ModificationDefinition } from '../src/testing/index.ts'
import { EXECUTE_TYPES, MODIFICATIONS, templateSchema } from '../src/testing/index.ts'
import {
  FLOW_SCHEMAS,
  INFO_SUMMARIES,
  type Json,
  KEY_SUMMARIES,
} from '../src/testing/template/template-schema.ts'

const PAGE = 'docs/reference/test-templates.md'
const SCHEMA = 'docs/reference/test-template.schema.json'

function table(rows: readonly { name: string; summary: string }[]): string {
  const cells = rows.map(({ name, summary }) => `| \`${name}\` | ${summary.replaceAll('|', '\\|')} |`)
  return ['| Name | Meaning |', '|---|---|', ...cells].join('\n')
}

/** Words that compile and never hold: they ask a language model, or stand for other families of templates. */
function words(): string {
  const told = new Set([...TERMS, ...OPERATORS, ...CONTEXTS].map(({ name }) => name.toLowerCase()))
  const shown =
    'and or for_one for_all key value length percentage_match percentage_match_schema percentage_match_meaning extract extractmultiple compare_greater ssrf_url_hit valuetype param'
  const known = new Set([...told, ...shown.split(' ')])
  return conditionWords
    .filter((word) => !known.has(word.toLowerCase()))
    .map((word) => `\`${word}\``)
    .join(', ')
}

function operationText(definition: ModificationDefinition): string {
  const forms = Object.entries(definition.forms ?? {}).map(
    ([form, keys]) =>
      `\`${form}\`${keys.length === 0 ? '' : ` (${keys.map((key) => `\`${key}\``).join(', ')})`}`,
  )
  const shapes = {
    single: 'one value',
    pairs: 'name and value, each pair separately',
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

This page is generated from the definitions. \`test-template.schema.json\` next to it gives editors the same names; a running server has it at \`/template-schema.json\`, and \`# yaml-language-server: $schema=https://vigil.example/template-schema.json\` in the first line of a file makes editors use it.

A test says on the sample of an endpoint whether it applies, builds requests from the sample, and judges each answer. One that is malformed is refused, with the place of the fault.

## Keys

${table(Object.entries(KEY_SUMMARIES).map(([name, summary]) => ({ name, summary })))}

Keys of \`info\`; any other is refused:

${table(Object.entries(INFO_SUMMARIES).map(([name, summary]) => ({ name, summary })))}

## Word lists and variables

| Form of a word list | Words |
|---|---|
| \`name: [a, b]\` | These, as texts. |
| \`name: {source: sample_data, key: id}\` | Up to ten values that samples have under this name, or under names in which \`key: {regex: …}\` is found; \`location\` is \`header\`, \`payload\`, \`query_param\` or \`terminal_keys\`; \`all_apis: true\` looks at all endpoints of the collection. |
| \`name: {count: 5}\` | This number of random ten-digit numbers. |
| \`\${names}: {for_all: {\${iteratorKey}.wordList: …}}\` | One list for each captured name. |

| Variable | Value |
|---|---|
| \`\${name}\` | The words of a list, or what \`extract: name\` and \`extractMultiple: name\` saved; the first saved value stays. |
| \`\${name.key}\`, \`\${name.value}\` | Records that a context saved. |
| \`\${x1.response.body}\`, \`.status_code\`, \`.response_time\`, \`.response_len\` | Of the last answer of a step. |
| \`\${x1.response.stats.median_response_time}\` | Also \`min\`, \`max\`, \`average\`, and \`_response_len\`. |
| \`\${random_uuid}\`, \`\${url_webhook}\` | Id and URL of a callback. |
| \`\${auth_context.none_algo_token}\` and others | Tampered tokens, in \`replace_auth_header\`. |
| \`\${roles_access_context.ROLE}\` | Credentials of a role, as the key of \`modify_header\`. |
| \`\${current_epoch_seconds}\`, \`\${current_epoch_millis}\`, \`\${self}\` | The time; the present value of a field. |
| \`\${sample_response_payload.id}\` and others | A field or header of sample or attempt, in conditions. |

## Terms of conditions

${table(TERMS)}

Below a term there are operators, \`and\`, \`or\`, \`for_one\`, \`for_all\`, \`key\`, \`value\`, \`length\`, \`percentage_match\`, \`percentage_match_schema\`, \`percentage_match_meaning\`, \`extract\` and \`extractMultiple\`. \`compare_greater\` compares two numbers, \`ssrf_url_hit\` checks for callbacks, \`valueType\` names the keys that hold objects and lists. \`percentage_match_meaning\` says how much an answer says the same as that of the sample: structure, and values without times, tokens and identifiers of the moment. Known, and never true: ${words()}.

## Operators

${table(OPERATORS)}

## Contexts

${table(CONTEXTS)}

## Operations

\`execute\` has a \`type\` (${EXECUTE_TYPES.map((type) => `\`${type}\``).join(', ')}) and \`requests\`; each request has a list \`req\` of operations, carried out in order. Values of one text multiply over its word lists; values of different operations go side by side, shorter lists cycling. A step has at most 1,000 attempts.

${MODIFICATIONS.map(operationText).join('\n')}
## Flow

${table(Object.entries(FLOW_SCHEMAS).map(([name, schema]) => ({ name, summary: String((schema as Json)['description'] ?? (name === 'validate' ? 'Judges the answers of this request.' : 'A note; ignored.')) })))}
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
