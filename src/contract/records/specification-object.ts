import { absentable, document, hexId, integer, list, model, oneOf, text } from '../schema.ts'
import { importTypes, uploadStatuses } from '../vocabulary.ts'
import { filled, wideRecord } from '../wide-record.ts'
import { endpointKey } from './endpoint-key.ts'

/** A row of import logs; the first row of a list of logs is the header {Url, Errors}. */
const importLog = model('ImportLog', 'A row of an import log; the first row is a header.', {
  term: text({ description: 'Path and method, a collection name, or the header word.' }),
  description: text({ description: 'Messages joined by commas.' }),
})

const whenDone = (description: string) => absentable(integer({ description }))

export const openApiUploadDetails = model(
  'OpenApiUploadDetails',
  'Status and details of an OpenAPI upload.',
  {
    uploadStatus: oneOf(uploadStatuses, { description: 'The other fields are there once it is SUCCEEDED.' }),
    fatalError: absentable(text({ description: 'Only when FAILED.' })),
    collectionErrors: absentable(
      list(
        model('OpenApiCollectionError', 'A problem of the file as a whole.', {
          error: text(),
          errorType: oneOf(['WARNING', 'ERROR']),
        }),
      ),
    ),
    logs: absentable(list(importLog, { description: 'Operations with problems, after a header row.' })),
    apisWithErrorsAndParsed: whenDone('Operations imported with problems.'),
    apisWithErrorsAndCannotBeImported: whenDone('Operations that could not be imported.'),
    correctlyParsedApis: whenDone('Operations without problems.'),
    totalCount: whenDone('Operations in the file.'),
  },
)

export const postmanUploadDetails = model('PostmanUploadDetails', 'Status and details of a Postman upload.', {
  uploadStatus: oneOf(uploadStatuses),
  uploadId: hexId(),
  fatalError: absentable(text({ description: 'Only when FAILED.' })),
  collectionErrors: list(importLog, { description: 'Problems by collection, after a header row.' }),
  logs: list(importLog, { description: 'Requests with problems, after a header row.' }),
  errorCount: integer({ description: 'Rows of logs without the header.' }),
  totalCount: integer({ description: 'Requests in the file.' }),
  correctlyParsedApis: integer(),
  apisWithErrorsAndParsed: integer(),
  apisWithErrorsAndCannotBeImported: integer(),
})

export const specificationObject = wideRecord(
  'SpecificationObject',
  'Shared answer of the operations about specification files.',
  {
    openAPIString: filled(document({ description: 'OpenAPI document as JSON text.' }), null),
    lastFetchedUrl: filled(text(), null),
    lastFetchedMethod: filled(text(), null),
    apiCollectionId: filled(integer(), 0),
    uploadId: filled(text(), null),
    uploadDetails: filled(openApiUploadDetails, null),
    importType: filled(oneOf(importTypes), null),
    apiInfoKeyList: filled(list(endpointKey), null),
    openApiSchema: filled(document({ description: 'The uploaded document as JSON text.' }), null),
  },
  ['apiCollectionId', 'uploadId', 'importType'],
)
