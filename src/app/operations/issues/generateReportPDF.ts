import { countByStatus } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import { createReport, type NewReport } from '../../../reports/index.ts'
import { findExecution } from '../../../testing/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { issueFilterOf, summaryOf } from '../../reports/report-filters.ts'
import { maxFindings, runFindings } from '../../reports/run-report.ts'
import { requireGranted } from '../../require-collection.ts'
import { readIssueId } from './wire-issue.ts'

type Filters = NewReport['filters']

/** Stores what is to be reported; the report is made in the background. */
export const generateReportPDF: Handler<'generateReportPDF'> = async (input, call) => {
  const { app, caller } = call
  const keys = input.issuesIdsForReport ?? []
  const report: NewReport = {
    userLogin: caller.login,
    filters: input.reportFilterList ?? readText(input.reportFilters),
    issueKeys: keys.length === 0 ? null : keys.map(readIssueId),
    visible: caller.collectionIds,
  }
  for (const id of issueFilterOf(report).collectionIds ?? []) requireGranted(caller, id)
  if ((await findings(report, call)) > maxFindings) throw new Failure('REPORT_TOO_LARGE', {})
  const id = await createReport(app.store, report)
  app.reports.wake()
  return {
    generatedReportId: id,
    response: { reportId: id, status: 'IN_PROGRESS', downloadUrl: `/api/report/${id}.pdf` },
  }
}

/** How many findings the report would have; more than the most are not counted. */
async function findings(report: NewReport, { app, caller }: Call): Promise<number> {
  const summaryId = summaryOf(report.filters)
  if (summaryId !== null) {
    const execution = await findExecution(app.store, summaryId, caller.collectionIds)
    if (execution === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
    return (await runFindings(app.store, summaryId, report, maxFindings + 1)).length
  }
  const filter = issueFilterOf(report)
  const counts = await countByStatus(app.store, filter)
  const statuses = filter.statuses ?? Object.keys(counts)
  return Object.entries(counts).reduce(
    (sum, [status, count]) => sum + (statuses.includes(status) ? count : 0),
    0,
  )
}

/** The filters as JSON text. @throws Failure INVALID_FIELD */
function readText(text: string | null | undefined): Filters {
  if (text === null || text === undefined || text.trim() === '') return {}
  const parsed = parse(text)
  const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  const entries = isMap ? Object.entries(parsed) : []
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' || Number.isInteger(one))
  if (!isMap || !entries.every(([, value]) => isList(value)))
    throw new Failure('INVALID_FIELD', { field: 'reportFilters' })
  return Object.fromEntries(entries) as Filters
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('INVALID_FIELD', { field: 'reportFilters' }, { cause: error })
  }
}
