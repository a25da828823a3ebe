import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { noteBurpExtension } from '../helpers/burp-extension.ts'
import { importReportRows, importSummary } from './import-view.ts'

/** Sentences about skipped entries in the answer; fetchImportReport has all. */
const MAX_ERRORS = 1000

/** Imports a HAR recording and tells which entries were skipped, and why. */
export const uploadHar: Handler<'uploadHar'> = async (_input, { app, caller, rawBody }) => {
  const id = await app.imports.importFile({
    operation: 'uploadHar',
    body: rawBody!,
    caller,
    importer: 'har',
    ...(caller.via === 'BURP' ? { dataSource: 'BURP' as const } : {}),
  })
  if (caller.via === 'BURP') await noteBurpExtension(app, caller.userId, { dataSentAt: nowSeconds() })
  const skipped = await importReportRows(app.store, id, ['SKIPPED'], 0, MAX_ERRORS)
  const report = await importSummary(app.store, id)
  return {
    harErrors: skipped.rows.map((row) => `${row.place}: ${row.what}: ${row.reasons.join(', ')}`),
    apiCollectionId: report.apiCollectionId!,
    uploadId: id,
    report,
  }
}
