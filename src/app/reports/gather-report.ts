import type { ReportContent, ReportDefinition } from '../../reports/index.ts'
import { gatherIssues } from './issue-report.ts'
import { summaryOf } from './report-filters.ts'
import { type GatherDeps, gatherRun } from './run-report.ts'

/**
 * Reads everything that a report tells.
 *
 * @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when the execution was deleted meanwhile
 */
export function gatherReport(deps: GatherDeps, definition: ReportDefinition): Promise<ReportContent> {
  const summaryId = summaryOf(definition.filters)
  return summaryId === null ? gatherIssues(deps, definition) : gatherRun(deps, summaryId, definition)
}
