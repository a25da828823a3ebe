import type { IssueSource } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { requireReport } from '../../reports/require-report.ts'
import { wireIssueId } from './wire-issue.ts'

/** What a report was asked for. */
export const getReportFilters: Handler<'getReportFilters'> = async (input, { app, caller }) => {
  const { filters, issueKeys } = await requireReport(app.store, caller, input.generatedReportId)
  return {
    filtersForReport: Object.fromEntries(
      Object.entries(filters).map(([name, values]) => [name, values.map(String)]),
    ),
    issuesIdsForReport:
      issueKeys?.map((key) => wireIssueId({ ...key, source: key.source as IssueSource })) ?? null,
  }
}
