import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { visibleImport } from '../imports/import-view.ts'
import { uploadCounts } from '../imports/upload-details.ts'

const HEADER = { term: 'Url', description: 'Errors' }

/** Tells how an OpenAPI upload went, operation by operation. */
export const fetchSwaggerImportLogs: Handler<'fetchSwaggerImportLogs'> = async (input, { app, caller }) => {
  const upload = await visibleImport(app.store, caller, input.uploadId)
  if (upload.format !== 'OPEN_API') throw new Failure('INVALID_UPLOAD_ID', {})
  if (upload.status === 'IN_PROGRESS') return { uploadDetails: { uploadStatus: upload.status } }
  if (upload.status === 'FAILED') {
    return { uploadDetails: { uploadStatus: upload.status, fatalError: upload.fatalError ?? '' } }
  }
  const counts = await uploadCounts(app.store, upload.uploadId)
  return {
    uploadDetails: {
      uploadStatus: upload.status,
      collectionErrors: upload.warnings.map((error) => ({ error, errorType: 'WARNING' as const })),
      logs: counts.logs.length === 0 ? [] : [HEADER, ...counts.logs],
      apisWithErrorsAndParsed: counts.parsedWithErrors,
      apisWithErrorsAndCannotBeImported: counts.cannotBeImported,
      correctlyParsedApis: counts.clean,
      totalCount: counts.total,
    },
  }
}
