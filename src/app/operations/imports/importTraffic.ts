import type { Handler } from '../../handler.ts'
import { importSummary } from './import-view.ts'

/** Imports a file of any known format. */
export const importTraffic: Handler<'importTraffic'> = async (_input, { app, caller, rawBody }) => {
  const uploadId = await app.imports.importFile({ operation: 'importTraffic', body: rawBody!, caller })
  const report = await importSummary(app.store, uploadId)
  return { uploadId, format: report.format, apiCollectionId: report.apiCollectionId ?? 0, report }
}
