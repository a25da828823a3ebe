import type { Handler } from '../../handler.ts'
import { readyUpload } from './ready-upload.ts'

/** Takes over an uploaded OpenAPI file. */
export const importSwaggerLogs: Handler<'importSwaggerLogs'> = async (input, { app, caller }) => {
  const upload = await readyUpload(app.store, caller, input.uploadId, 'OPEN_API', 'INVALID_UPLOAD_ID')
  const onlyClean = input.importType === 'ONLY_SUCCESSFUL_APIS'
  return { apiCollectionId: await app.imports.takeDocument(upload.uploadId, onlyClean, caller, {}) }
}
