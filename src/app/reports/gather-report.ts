import type { ReportContent, ReportDefinition } from '../../reports/index.ts'
import { readOrganisation } from '../organisation.ts'
import { gatherIssues } from './issue-report.ts'
import { summaryOf } from './report-filters.ts'
import { type GatherDeps, gatherRun } from './run-report.ts'

/**
 * Reads everything that a report tells.
 *
 * @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when the execution was deleted meanwhile
 */
export async function gatherReport(deps: GatherDeps, definition: ReportDefinition): Promise<ReportContent> {
  const summaryId = summaryOf(definition.filters)
  const { name } = await readOrganisation(deps.store.pool)
  const content = await (summaryId === null
    ? gatherIssues(deps, definition)
    : gatherRun(deps, summaryId, definition))
  return name === '' ? content : { ...content, facts: [['Organisation', name], ...content.facts] }
}
