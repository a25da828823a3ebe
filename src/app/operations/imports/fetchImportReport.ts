import type { Handler } from '../../handler.ts'
import { importReportRows, visibleImport } from './import-view.ts'

/** Shows what an import took and skipped. */
export const fetchImportReport: Handler<'fetchImportReport'> = async (input, { app, caller }) => {
  const report = await visibleImport(app.store, caller, input.uploadId)
  const page = await importReportRows(
    app.store,
    report.uploadId,
    input.outcomes ?? [],
    input.skip,
    input.limit,
  )
  return { report, ...page }
}
