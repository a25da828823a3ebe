import { openApiPageSize } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import {
  openApiUploadDetails,
  postmanUploadDetails,
  specificationObject,
} from '../records/specification-object.ts'
import { optional, required } from '../request-field.ts'
import { flag, integer, list, model, text } from '../schema.ts'
import { filled } from '../wide-record.ts'

const shared = {
  role: 'GUEST',
  access: 'read',
  idempotent: true,
  inSpecification: true,
  specified: 'open',
  note: 'Request and response are not shown there.',
} as const

/** Specification files out of and into the inventory, by their wire names. */
export const specificationFileOperations = group('collections', {
  generateOpenApiFile: operation({
    ...shared,
    summary: 'Writes an OpenAPI document of the discovered endpoints',
    description: `Up to ${openApiPageSize} endpoints per call, ordered by url then method, each page a complete document. A full page answers the last key as cursor, a short page nulls. With apiInfoKeyList exactly these endpoints, without paging. Examples of sensitive types are left out.`,
    request: {
      apiCollectionId: required(integer(), 'The collection.'),
      lastFetchedUrl: optional(text(), 'Cursor: lastFetchedUrl of the previous page; both parts or neither.'),
      lastFetchedMethod: optional(text(), 'Cursor: lastFetchedMethod of the previous page.'),
      includeHeaders: optional(flag(), 'Whether header parameters are described.', { default: true }),
      apiInfoKeyList: optional(list(endpointKey), 'Exactly these endpoints, when not empty.'),
    },
    answer: wide(specificationObject, ['openAPIString', 'lastFetchedUrl', 'lastFetchedMethod']),
    errors: ['NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION', 'INVALID_CURSOR'],
    example: {
      request: { apiCollectionId: 1679459648 },
      response: {
        openAPIString: '{"openapi":"3.1.0","info":{"title":"shop","version":"1.0.0"},"paths":{}}',
        lastFetchedUrl: null,
        lastFetchedMethod: null,
      },
    },
  }),

  fetchOpenApiSchema: operation({
    ...shared,
    summary: 'Returns the specification last uploaded into a collection',
    description: 'The text of the most recent upload; one that came as YAML is returned as JSON text.',
    request: { apiCollectionId: required(integer(), 'The collection.') },
    answer: wide(specificationObject, ['openApiSchema']),
    errors: ['NO_OPENAPI_SCHEMA', 'NO_SUCH_COLLECTION'],
    example: {
      request: { apiCollectionId: 1679459648 },
      response: { openApiSchema: '{"openapi":"3.0.3","info":{"title":"shop","version":"1"},"paths":{}}' },
    },
  }),

  fetchSwaggerImportLogs: operation({
    ...shared,
    summary: 'Tells how an OpenAPI upload went',
    description:
      'uploadDetails holds only uploadStatus while the file is read (and fatalError when it failed), then the counts and one log row per operation with problems, after a header row. Cheap enough to poll.',
    request: { uploadId: required(text(), 'The uploadId that importDataFromOpenApiSpec returned.') },
    answer: wide(specificationObject, ['uploadDetails'], {
      uploadDetails: filled(openApiUploadDetails, null),
    }),
    errors: ['INVALID_UPLOAD_ID'],
    example: {
      request: { uploadId: '697dd9e4aabbccddeeff0011' },
      response: {
        uploadDetails: {
          uploadStatus: 'SUCCEEDED',
          collectionErrors: [{ error: 'servers is missing', errorType: 'WARNING' }],
          logs: [
            { term: 'Url', description: 'Errors' },
            { term: '/pets/{id} (GET)', description: 'No example for 200' },
          ],
          apisWithErrorsAndParsed: 1,
          apisWithErrorsAndCannotBeImported: 0,
          correctlyParsedApis: 42,
          totalCount: 43,
        },
      },
    },
  }),

  fetchPostmanImportLogs: operation({
    ...shared,
    summary: 'Tells how a Postman upload went',
    description:
      'Counters are there in every status. logs lists the requests with problems after a header row; errorCount does not count the header.',
    request: {
      uploadId: required(text(), 'The uploadId that importDataFromPostmanFile returned.', {
        refusal: 'POSTMAN_UPLOAD_ID_REQUIRED',
      }),
    },
    answer: root(
      model('PostmanImportLogs', 'Status and details of a Postman upload.', {
        uploadDetails: postmanUploadDetails,
      }),
    ),
    errors: ['POSTMAN_UPLOAD_ID_REQUIRED', 'INVALID_POSTMAN_UPLOAD_ID'],
    example: {
      request: { uploadId: '697dd9e4aabbccddeeff0022' },
      response: {
        uploadDetails: {
          uploadStatus: 'SUCCEEDED',
          uploadId: '697dd9e4aabbccddeeff0022',
          collectionErrors: [],
          logs: [],
          errorCount: 0,
          totalCount: 10,
          correctlyParsedApis: 10,
          apisWithErrorsAndParsed: 0,
          apisWithErrorsAndCannotBeImported: 0,
        },
      },
    },
  }),
})
