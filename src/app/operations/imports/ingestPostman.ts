import type { Handler } from '../../handler.ts'
import { readyUpload } from './ready-upload.ts'

/** Takes over an uploaded Postman collection. */
export const ingestPostman: Handler<'ingestPostman'> = async (input, { app, caller }) => {
  const upload = await readyUpload(app.store, caller, input.uploadId, 'POSTMAN', 'INVALID_POSTMAN_UPLOAD_ID')
  const onlyClean = input.importType === 'ONLY_SUCCESSFUL_APIS'
  const apiCollectionId = await app.imports.takeDocument(upload.uploadId, onlyClean, caller, input)
  return { uploadId: upload.uploadId, apiCollectionId }
}
