import { group, operation, root, wide } from '../operation.ts'
import { specificationObject } from '../records/specification-object.ts'
import { optional, required } from '../request-field.ts'
import { document, either, flag, hexId, integer, model, oneOf, openObject, text } from '../schema.ts'
import { importTypes } from '../vocabulary.ts'
import { fileErrors, importTarget, postmanEnvironment } from './imports.ts'

const write = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  role: 'MEMBER',
  access: 'write',
} as const

const importType = required(
  oneOf(importTypes),
  'ALL_APIS, or ONLY_SUCCESSFUL_APIS to leave out operations with problems.',
  { default: 'ALL_APIS' },
)

const postmanUploadId = required(text(), 'The uploadId that importDataFromPostmanFile returned.', {
  refusal: 'POSTMAN_UPLOAD_ID_REQUIRED',
})

const exampleId = '697dd9e4aabbccddeeff0011'

const targetErrors = [
  'NO_SUCH_COLLECTION',
  'INVALID_COLLECTION_NAME',
  'TRAFFIC_COLLECTION_TARGET',
  'DEACTIVATED_TARGET',
] as const

/** Two-step uploads of specification files: read and judged first, taken over second. */
export const specificationUploadOperations = group('imports', {
  importDataFromOpenApiSpec: operation({
    ...write,
    summary: 'Uploads an OpenAPI file and judges it',
    description:
      'OpenAPI 3.0, 3.1 and Swagger 2.0 as JSON or YAML. The file is read in the background: poll fetchSwaggerImportLogs, then take it over with importSwaggerLogs. The described server is never called; skipLiveReplay is accepted and ignored.',
    request: {
      openAPIString: required(either(document(), openObject()), 'The file as text, or as an object.'),
      apiCollectionId: optional(integer(), 'Where it goes; null for a collection named after the title.'),
      fileName: optional(text({ maxLength: 500 }), 'Name of the file, for the report.'),
      skipLiveReplay: optional(flag(), 'Accepted and ignored.', { default: true }),
    },
    answer: wide(specificationObject, ['uploadId']),
    bodyLimit: 'import',
    errors: ['OPENAPI_GROUP_TARGET', 'INVALID_OPENAPI', ...fileErrors, ...targetErrors],
    idempotent: false,
    example: {
      request: { openAPIString: 'openapi: 3.0.3\ninfo: {title: Shop, version: "1"}\npaths: {}\n' },
      response: { uploadId: exampleId },
    },
  }),

  importSwaggerLogs: operation({
    ...write,
    summary: 'Takes over an uploaded OpenAPI file',
    description:
      'Its operations become documented endpoints and hints for path templates, never traffic. Answers after everything was committed; a second call changes nothing more.',
    request: {
      uploadId: required(text(), 'The uploadId that importDataFromOpenApiSpec returned.'),
      importType,
    },
    answer: wide(specificationObject, ['apiCollectionId']),
    errors: [
      'INVALID_UPLOAD_ID',
      'UPLOAD_NOT_READY',
      'UPLOAD_FAILED',
      'OPENAPI_GROUP_TARGET',
      ...targetErrors,
    ],
    idempotent: true,
    example: {
      request: { uploadId: exampleId, importType: 'ALL_APIS' },
      response: { apiCollectionId: 1679459648 },
    },
  }),

  importDataFromPostmanFile: operation({
    ...write,
    summary: 'Uploads a Postman collection and judges it',
    description:
      'Collections v2.0 and v2.1. The file is read in the background: poll fetchPostmanImportLogs, then take it over with ingestPostman. Nothing is ever sent; allowReplay is accepted and ignored.',
    request: {
      postmanCollectionFile: required(either(document(), openObject()), 'The file as text, or as an object.'),
      environment: postmanEnvironment,
      allowReplay: optional(flag(), 'Accepted and ignored.', { default: false }),
      fileName: optional(text({ maxLength: 500 }), 'Name of the file, for the report.'),
    },
    answer: root(model('PostmanUpload', 'The upload.', { uploadId: hexId() })),
    bodyLimit: 'import',
    errors: ['INVALID_POSTMAN', ...fileErrors],
    idempotent: false,
    example: {
      request: {
        postmanCollectionFile: '{"info":{"name":"Shop"},"item":[]}',
        allowReplay: false,
      },
      response: { uploadId: '697dd9e4aabbccddeeff0022' },
    },
  }),

  ingestPostman: operation({
    ...write,
    summary: 'Takes over an uploaded Postman collection',
    description:
      'Goes into the collection sent, else into one named after the file. Requests with saved responses become samples marked POSTMAN; the others become documented endpoints.',
    request: { uploadId: postmanUploadId, importType, ...importTarget },
    answer: root(
      model('PostmanIngested', 'Where it went.', { uploadId: hexId(), apiCollectionId: integer() }),
    ),
    errors: [
      'POSTMAN_UPLOAD_ID_REQUIRED',
      'INVALID_POSTMAN_UPLOAD_ID',
      'UPLOAD_NOT_READY',
      'UPLOAD_FAILED',
      'GROUP_TARGET',
      ...targetErrors,
    ],
    idempotent: true,
    example: {
      request: { uploadId: '697dd9e4aabbccddeeff0022', importType: 'ALL_APIS' },
      response: { uploadId: '697dd9e4aabbccddeeff0022', apiCollectionId: 1679459648 },
    },
  }),

  deletePostmanImportLogs: operation({
    ...write,
    summary: 'Deletes the report of a Postman upload',
    description: 'What was taken over stays.',
    request: { uploadId: postmanUploadId },
    answer: root(model('PostmanLogsDeleted', 'The deleted upload.', { uploadId: hexId() })),
    errors: ['POSTMAN_UPLOAD_ID_REQUIRED', 'INVALID_POSTMAN_UPLOAD_ID'],
    idempotent: false,
    example: {
      request: { uploadId: '697dd9e4aabbccddeeff0022' },
      response: { uploadId: '697dd9e4aabbccddeeff0022' },
    },
  }),
})
