import { reportKinds } from './report-kinds.ts'
import { severityOrder } from './scan-result.ts'

type Schema = Record<string, unknown>

const severities = severityOrder.map((severity) => severity.toLowerCase())
/** Words of an option as a list, or as one text with commas. */
const words = (description: string): Schema => ({
  description,
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
})
const text = (description: string, more: Schema = {}): Schema => ({ description, type: 'string', ...more })
const headers: Schema = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
}

const loginRequest: Schema = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    name: text('For ${name.response…} in later requests; the last request is login unless named.', {
      pattern: '^[a-z][A-Za-z0-9_-]{0,49}$',
    }),
    url: text('A path at the target, or a URL.'),
    method: text('POST where there is a body, else GET, unless given.'),
    headers,
    body: { description: 'A text, or what is sent as JSON.' },
    totp: text('Secret of the one-time code that ${totp} stands for, Base32 or an otpauth URI.'),
  },
}

const role: Schema = {
  description: 'Headers to act with, or a login and the headers that take values of its answer.',
  anyOf: [
    {
      type: 'object',
      required: ['headers', 'recording', 'token'],
      additionalProperties: false,
      properties: {
        headers,
        recording: text('A recorded login: a file.'),
        token: text('JavaScript expression that yields the token in the last page.'),
        totp: text('Secret of the one-time codes, Base32 or an otpauth URI.'),
      },
    },
    {
      type: 'object',
      required: ['headers'],
      additionalProperties: false,
      properties: {
        headers,
        login: { anyOf: [loginRequest, { type: 'array', minItems: 1, items: loginRequest }] },
      },
    },
    { ...headers, not: { required: ['headers'] } },
  ],
}

/** JSON Schema of the file that `vigil scan --config` reads, for completion in editors. */
export const configSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of vigil scan',
  type: 'object',
  additionalProperties: false,
  properties: {
    files: words('OpenAPI, HAR, Postman or GraphQL files, from the working directory.'),
    target: text('Address that requests go to, and nowhere else. Test only what you may test.'),
    crawl: text('Address that a browser crawls first; target is its host unless given.'),
    'crawl-time': {
      description: 'End the crawl after this time: 90s, 10m or 1h.',
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: '^[0-9]{1,6}[smh]?$' },
      ],
    },
    roles: {
      description: 'Who tests act as: a file, or names of roles. ${NAME} is a variable of the environment.',
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,99}$' },
          additionalProperties: role,
        },
      ],
    },
    tests: words('Only these tests, by id.'),
    categories: words('Only tests of these categories.'),
    severities: words('Only tests of these severities.'),
    tags: words('Only tests with one of these tags or CWE numbers.'),
    path: words('Only these paths; * stands for a part of a segment, ** for any number of them.'),
    method: words('Only these methods.'),
    safe: { description: 'Send no request that writes.', type: 'boolean' },
    'write-level': text('What tests may write.', { enum: ['read-only', 'reversible', 'all'] }),
    rate: { description: 'Requests a second at most.', type: 'integer', minimum: 1, maximum: 100_000 },
    'max-time': {
      description: 'Stop testing after this time: 90s, 10m or 1h.',
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', pattern: '^[0-9]{1,6}[smh]?$' },
      ],
    },
    'fail-on': text('Lowest severity that fails the scan.', { enum: [...severities, 'none'] }),
    baseline: text('A JSON report of an earlier scan: only findings that are not in it fail.'),
    collection: text('Name of the collection that the files go into.'),
    server: text('Run on this installation instead.'),
    reports: {
      description: 'Files that reports are written to; - is standard output.',
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(reportKinds.map((kind) => [kind, { type: 'string' }])),
    },
    ...Object.fromEntries(reportKinds.map((kind) => [kind, text(`The same as ${kind} below reports.`)])),
  },
}
