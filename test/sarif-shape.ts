import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown'
import { Ajv } from 'ajv'
import type { Log } from 'sarif'

/**
 * The part of SARIF 2.1.0 that scans use, as a closed schema: an object has these properties and no others, with the
 * types, required properties and words of the standard.
 */
const text = { type: 'string' } as const
const message = closed({ text, markdown: text }, ['text'])
const bag = {
  type: 'object',
  properties: { tags: { type: 'array', items: text, uniqueItems: true } },
} as const
const level = { enum: ['none', 'note', 'warning', 'error'] } as const
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' } as const

const rule = closed(
  {
    ...{ id: text, name: text, shortDescription: message, fullDescription: message, help: message },
    helpUri: { type: 'string', pattern: '^https?://' },
    defaultConfiguration: closed({ level }),
    properties: bag,
  },
  ['id'],
)
const location = closed({
  physicalLocation: closed({
    artifactLocation: closed({ uri: { type: 'string', pattern: '^(?!/)[^\\s\\\\]+$' } }, ['uri']),
    region: closed({ startLine: { type: 'integer', minimum: 1 } }),
  }),
  logicalLocations: list(closed({ fullyQualifiedName: text, kind: text })),
})
const result = closed(
  {
    ...{ ruleId: text, ruleIndex: { type: 'integer', minimum: 0 }, level, message, properties: bag },
    locations: { ...list(location), minItems: 1 },
    partialFingerprints: { type: 'object', additionalProperties: text, minProperties: 1 },
    baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
    suppressions: list(
      closed(
        {
          kind: { enum: ['inSource', 'external'] },
          status: { enum: ['accepted', 'underReview', 'rejected'] },
          justification: text,
        },
        ['kind'],
      ),
    ),
  },
  ['message'],
)
const invocation = closed(
  {
    ...{ executionSuccessful: { type: 'boolean' }, startTimeUtc: time, endTimeUtc: time },
    toolExecutionNotifications: list(closed({ level, message }, ['message'])),
  },
  ['executionSuccessful'],
)
const run = closed(
  {
    tool: closed(
      { driver: closed({ name: text, version: text, semanticVersion: text, rules: list(rule) }, ['name']) },
      ['driver'],
    ),
    automationDetails: closed({ id: text }),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    invocations: list(invocation),
    results: list(result),
    properties: bag,
  },
  ['tool'],
)
const schema = closed({ $schema: text, version: { const: '2.1.0' }, runs: list(run) }, ['version', 'runs'])
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('uri-reference', (text: string) => URL.canParse(text, 'https://base.test/'))

/** The schema that OASIS published, which allows much more than scans use. */
function publishedSchema(): object {
  const name = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'
  const text = readFileSync(createRequire(import.meta.url).resolve(name), 'utf8')
  // Of draft 4, whose only word that ajv reads otherwise is the name of the id.
  const { $schema: _, id: __, ...published } = JSON.parse(text) as Record<string, unknown>
  return published
}

const checks = [schema, publishedSchema()].map((one) => ajv.compile(one))

/** What is wrong with a SARIF document by the published schema and by the closed one; empty when nothing is. */
export function sarifFaults(document: unknown): string[] {
  return checks.flatMap((check) =>
    check(document)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
  )
}

/** What a viewer that nobody here wrote shows of a SARIF document, as Markdown. */
export function sarifViewed(document: unknown): string {
  const toMarkdown = sarifToMarkdown({ owner: 'shop', repo: 'shop', branch: 'main', sourceRoot: '' })
  return toMarkdown(document as Log)
    .map(({ body }) => body)
    .join('\n')
}

function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false }
}

function list(items: object): { type: 'array'; items: object } {
  return { type: 'array', items }
}
