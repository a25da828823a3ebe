import type { Handler } from '../../handler.ts'
import { importSummary } from './import-view.ts'

/** Imports a file of any known format. */
export const importTraffic: Handler<'importTraffic'> = async (_input, { app, caller, rawBody }) => {
  const done = await app.imports.importFile({ operation: 'importTraffic', body: rawBody!, caller })
  const report = await importSummary(app.store, done.id)
  return { uploadId: done.id, format: report.format, apiCollectionId: done.collectionId!, report }
}
