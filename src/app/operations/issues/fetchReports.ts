import { listReports } from '../../../reports/index.ts'
import type { Handler } from '../../handler.ts'

/** The reports of the caller, the newest first. */
export const fetchReports: Handler<'fetchReports'> = async (_input, { app, caller }) => {
  const reports = await listReports(app.store, caller.login)
  return {
    reports: reports.map((report) => ({
      reportId: report.id,
      status: report.status,
      reason: report.error,
      downloadUrl: `/api/report/${report.id}.pdf`,
      sizeBytes: report.size,
      createTime: report.createdAt,
      expiryTime: report.expiresAt,
      testingRunHexId: report.runId,
      testingRunName: report.runName,
      filtersForReport: Object.fromEntries(
        Object.entries(report.filters).map(([name, values]) => [name, values.map(String)]),
      ),
      issuesCount: report.issuesCount,
    })),
  }
}
