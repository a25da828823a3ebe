import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { visibleImport } from './import-view.ts'

/** Deletes the report of a Postman upload; what was taken over stays. */
export const deletePostmanImportLogs: Handler<'deletePostmanImportLogs'> = async (input, { app, caller }) => {
  const upload = await visibleImport(app.store, caller, input.uploadId, 'INVALID_POSTMAN_UPLOAD_ID')
  if (upload.format !== 'POSTMAN') throw new Failure('INVALID_POSTMAN_UPLOAD_ID', {})
  await app.store.pool.query('DELETE FROM imports WHERE id = $1', [upload.uploadId])
  return { uploadId: upload.uploadId }
}
