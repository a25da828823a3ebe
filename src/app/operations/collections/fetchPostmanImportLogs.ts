import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { visibleImport } from '../imports/import-view.ts'
import { uploadCounts } from '../imports/upload-details.ts'

const HEADER = { term: 'Url', description: 'Errors' }
const COLLECTION_HEADER = { term: 'Collection name', description: 'Errors' }

/** Tells how a Postman upload went, request by request. */
export const fetchPostmanImportLogs: Handler<'fetchPostmanImportLogs'> = async (input, { app, caller }) => {
  const upload = await visibleImport(app.store, caller, input.uploadId, 'INVALID_POSTMAN_UPLOAD_ID')
  if (upload.format !== 'POSTMAN') throw new Failure('INVALID_POSTMAN_UPLOAD_ID', {})
  const counts = await uploadCounts(app.store, upload.uploadId)
  const problems = upload.warnings.map((description) => ({ term: upload.title ?? '', description }))
  return {
    uploadDetails: {
      uploadStatus: upload.status,
      uploadId: upload.uploadId,
      ...(upload.fatalError === null ? {} : { fatalError: upload.fatalError }),
      collectionErrors: problems.length === 0 ? [] : [COLLECTION_HEADER, ...problems],
      logs: counts.logs.length === 0 ? [] : [HEADER, ...counts.logs],
      errorCount: counts.logs.length,
      totalCount: counts.total,
      correctlyParsedApis: counts.clean,
      apisWithErrorsAndParsed: counts.parsedWithErrors,
      apisWithErrorsAndCannotBeImported: counts.cannotBeImported,
    },
  }
}
