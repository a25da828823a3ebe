import { readReport } from '../../../reports/index.ts'
import type { Handler } from '../../handler.ts'
import { requireReport } from '../../reports/require-report.ts'

const REPORT_IDS = /[0-9a-f]{24}/gi

/** State of a report, with the PDF once there is one. */
export const downloadReportPDF: Handler<'downloadReportPDF'> = async (input, { app, caller }) => {
  const sent = input.reportId || lastIdOf(input.reportUrl ?? '')
  const { id, status, error } = await requireReport(app.store, caller, sent)
  const pdf = status === 'COMPLETED' ? await readReport(app.store, id) : null
  return { reportId: id, status, pdf: pdf?.toString('base64') ?? null, reason: error }
}

/** The id in the address of a report's page; empty when there is none. */
function lastIdOf(url: string): string {
  return url.match(REPORT_IDS)?.at(-1) ?? ''
}
