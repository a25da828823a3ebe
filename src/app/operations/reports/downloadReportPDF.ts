import { readReport } from '../../../reports/index.ts'
import type { Handler } from '../../handler.ts'
import { requireReport } from '../../reports/require-report.ts'

/** State of a report, with the PDF once there is one. */
export const downloadReportPDF: Handler<'downloadReportPDF'> = async (input, { app, caller }) => {
  const { id, status, error } = await requireReport(app.store, caller, input.reportId)
  const pdf = status === 'COMPLETED' ? await readReport(app.store, id) : null
  return { reportId: id, status, pdf: pdf?.toString('base64') ?? null, reason: error }
}
