import { accessLogFields, importFormats } from '../import-formats.ts'
import { group, operation, root } from '../operation.ts'
import { importRow, importSummary } from '../records/import-report.ts'
import { optional, required } from '../request-field.ts'
import {
  count,
  document,
  either,
  hexId,
  integer,
  list,
  mapOf,
  model,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { importOutcomes } from '../vocabulary.ts'
import { pageFields } from './inventory.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

/** Where an import goes: by name (created when new) or by id. */
export const importTarget = {
  apiCollectionName: optional(text(), 'Name of the collection; created when there is none.'),
  apiCollectionId: optional(integer(), 'Id of the collection; read when no name is sent.'),
}

/** Values for the variables of a Postman collection. */
export const postmanEnvironment = optional(
  either(openObject(), document()),
  'An exported Postman environment, as an object or as text: its values stand for {{name}}, over those of the collection. Other formats ignore it.',
)

/** Errors of a target collection. */
const targetErrors = [
  'IMPORT_TARGET_REQUIRED',
  'INVALID_COLLECTION_NAME',
  'COLLECTION_NAME_TOO_LONG',
  'COLLECTION_NAME_CHARACTERS',
  'NO_SUCH_COLLECTION',
  'TRAFFIC_COLLECTION_TARGET',
  'GROUP_TARGET',
  'DEACTIVATED_TARGET',
] as const

export const fileErrors = ['IMPORT_EMPTY', 'IMPORT_TOO_LARGE', 'IMPORT_NO_TEXT', 'JSON_TOO_LARGE'] as const

/** An import as examples show it. */
const exampleImport = {
  uploadId: '697dd9e4aabbccddeeff0033',
  format: 'HAR',
  fileName: 'shop.har',
  title: null,
  apiCollectionId: 1679459648,
  username: 'ada@example.org',
  status: 'SUCCEEDED',
  total: 48,
  taken: 30,
  skipped: 18,
  duplicates: 0,
  warnings: [],
  fatalError: null,
  createdTs: 1769854500,
  endedTs: 1769854501,
}

const har = '{"log":{"version":"1.2","creator":{"name":"browser","version":"1"},"entries":[]}}'

/** Files into the inventory, by their wire names. */
export const importOperations = group('imports', {
  uploadHar: operation({
    ...shared,
    summary: 'Imports a HAR recording',
    description:
      'Answers after everything was committed; of a file over 8 MiB that takes longer than a second, report.status is IN_PROGRESS and harErrors is empty: poll fetchImportReport until it has ended. harErrors holds one sentence per skipped entry, at most 1,000; fetchImportReport pages through all. Sent with a BURP key, the source of the entries is BURP.',
    request: {
      content: required(either(openObject(), document()), 'The recording, as an object or as JSON text.', {
        alias: 'harString',
      }),
      fileName: optional(text({ maxLength: 500 }), 'Name of the file, for the report.'),
      ...importTarget,
    },
    answer: root(
      model('HarUploadResult', 'How the import went.', {
        harErrors: list(text()),
        apiCollectionId: integer({ description: 'The collection it went into.' }),
        uploadId: hexId({ description: 'For fetchImportReport.' }),
        report: importSummary,
      }),
    ),
    role: 'MEMBER',
    access: 'write',
    keyKinds: ['BURP'],
    bodyLimit: 'import',
    errors: [...targetErrors, ...fileErrors, 'INVALID_HAR'],
    idempotent: false,
    example: {
      request: { content: har, apiCollectionName: 'shop' },
      response: {
        harErrors: ['entry 4: static file'],
        apiCollectionId: 1679459648,
        uploadId: '697dd9e4aabbccddeeff0033',
        report: exampleImport,
      },
    },
  }),

  importTraffic: operation({
    ...shared,
    summary: 'Imports a file of any known format',
    description:
      'The format is recognised from the content unless it is named. Recordings become traffic; OpenAPI, AsyncAPI, GraphQL, WSDL, Protocol Buffers, Postman and Insomnia files become documented operations, taken whole. Findings of ZAP and nuclei become issues; without a target they go to the collections of their hosts, which a caller restricted to some collections cannot choose. Answers after everything was committed; of a file over 8 MiB that takes longer than a second, report.status is IN_PROGRESS: poll fetchImportReport until it has ended. Nothing is ever sent to the described server.',
    request: {
      content: required(document(), 'The text of the file, or its base64 form.'),
      contentEncoding: optional(oneOf(['text', 'base64']), 'How content is written.', { default: 'text' }),
      format: optional(oneOf(importFormats), 'The format; null to recognise it.'),
      fileName: optional(text({ maxLength: 500 }), 'Name of the file, for the report and as a hint.'),
      environment: postmanEnvironment,
      baseUrl: optional(
        text({ maxLength: 2000 }),
        'Address of what an OpenAPI document without servers describes; of a GraphQL schema its endpoint, /graphql unless told.',
      ),
      fields: optional(
        mapOf(text({ maxLength: 200 })),
        `Of an access log: what its fields are called, for example {"method": "verb", "url": "request.target"}. Keys: ${accessLogFields.join(', ')}.`,
      ),
      ...importTarget,
    },
    answer: root(
      model('TrafficImportResult', 'How the import went.', {
        uploadId: hexId({ description: 'For fetchImportReport.' }),
        format: oneOf(importFormats),
        apiCollectionId: integer({
          description: 'The collection it went into; 0 when findings went to several, or to none.',
        }),
        report: importSummary,
      }),
    ),
    role: 'MEMBER',
    access: 'write',
    bodyLimit: 'import',
    errors: [
      ...targetErrors,
      ...fileErrors,
      'UNKNOWN_FORMAT',
      'INVALID_HAR',
      'INVALID_OPENAPI',
      'INVALID_POSTMAN',
      'INVALID_GRAPHQL',
      'INVALID_BASE_URL',
      'INVALID_FIELD_MAPPING',
      'INVALID_BURP_XML',
      'INVALID_IMPORT',
    ],
    idempotent: false,
    example: {
      request: { content: har, fileName: 'shop.har', apiCollectionName: 'shop' },
      response: {
        uploadId: '697dd9e4aabbccddeeff0033',
        format: 'HAR',
        apiCollectionId: 1679459648,
        report: exampleImport,
      },
    },
  }),

  fetchImports: operation({
    ...shared,
    summary: 'Lists the imports',
    description: 'Imports of the whole organisation into collections the caller may see, newest first.',
    request: {
      apiCollectionId: optional(integer(), 'Only imports into this collection.'),
      ...pageFields,
    },
    answer: root(
      model('ImportPage', 'One page of imports.', {
        imports: list(importSummary),
        total: count('Imports over all pages.'),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: { limit: 20 }, response: { imports: [exampleImport], total: 1 } },
  }),

  fetchImportReport: operation({
    ...shared,
    summary: 'Shows what an import took and skipped, item by item',
    description: 'Rows in the order of the file. Reports are kept for 90 days, or as VIGIL_IMPORT_DAYS says.',
    request: {
      uploadId: required(text(), 'The uploadId that the import returned.'),
      outcomes: optional(list(oneOf(importOutcomes)), 'Only these outcomes. Empty or null: all.'),
      ...pageFields,
    },
    answer: root(
      model('ImportReport', 'An import with one page of its items.', {
        report: importSummary,
        rows: list(importRow),
        total: count('Rows over all pages.'),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: ['INVALID_UPLOAD_ID'],
    idempotent: true,
    example: {
      request: { uploadId: '697dd9e4aabbccddeeff0033', outcomes: ['SKIPPED'] },
      response: {
        report: exampleImport,
        rows: [
          {
            position: 4,
            outcome: 'SKIPPED',
            place: 'log.entries[4]',
            what: 'GET https://shop.test/main.js',
            reasons: ['static file'],
          },
        ],
        total: 18,
      },
    },
  }),
})
