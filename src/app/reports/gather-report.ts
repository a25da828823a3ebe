import type { ReportContent, ReportDefinition } from '../../reports/index.ts'
import { gatherIssues } from './issue-report.ts'
import { summaryOf } from './report-filters.ts'
import { type GatherGround, gatherRun } from './run-report.ts'

/**
 * Reads everything that a report tells.
 *
 * @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when the execution was deleted meanwhile
 */
export function gatherReport(ground: GatherGround, definition: ReportDefinition): Promise<ReportContent> {
  const summaryId = summaryOf(definition.filters)
  return summaryId === null ? gatherIssues(ground, definition) : gatherRun(ground, summaryId, definition)
}
