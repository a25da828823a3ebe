import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { noteBurpExtension } from '../helpers/burp-extension.ts'
import { importReportRows, importSummary } from './import-view.ts'

/** Sentences about skipped entries in the answer; fetchImportReport has all. */
const MAX_ERRORS = 1000

/** Imports a HAR recording and tells which entries were skipped, and why. */
export const uploadHar: Handler<'uploadHar'> = async (_input, { app, caller, rawBody }) => {
  const done = await app.imports.importFile({
    operation: 'uploadHar',
    body: rawBody!,
    caller,
    importer: 'har',
    ...(caller.via === 'BURP' ? { dataSource: 'BURP' as const } : {}),
  })
  if (caller.via === 'BURP') await noteBurpExtension(app, caller.userId, { dataSentAt: nowSeconds() })
  const skipped = await importReportRows(app.store, done.id, ['SKIPPED'], 0, MAX_ERRORS)
  return {
    harErrors: skipped.rows.map((row) => `${row.place}: ${row.what}: ${row.reasons.join(', ')}`),
    apiCollectionId: done.collectionId!,
    uploadId: done.id,
    report: await importSummary(app.store, done.id),
  }
}
