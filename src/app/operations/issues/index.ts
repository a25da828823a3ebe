import type { Handlers } from '../../handler.ts'
import { addFalsePositive } from './addFalsePositive.ts'
import { assignIssue } from './assignIssue.ts'
import { bulkAssignIssues } from './bulkAssignIssues.ts'
import { bulkUpdateIssueSeverity } from './bulkUpdateIssueSeverity.ts'
import { bulkUpdateIssueStatus } from './bulkUpdateIssueStatus.ts'
import { bulkUpdateTestResultsSeverity } from './bulkUpdateTestResultsSeverity.ts'
import { commentIssue } from './commentIssue.ts'
import { deleteFalsePositive } from './deleteFalsePositive.ts'
import { deleteSavedView } from './deleteSavedView.ts'
import { downloadReportPDF } from './downloadReportPDF.ts'
import { exportTestResultEvidence } from './exportTestResultEvidence.ts'
import { fetchAffectedEndpoints } from './fetchAffectedEndpoints.ts'
import { fetchAllIssues } from './fetchAllIssues.ts'
import { fetchAllSubCategories } from './fetchAllSubCategories.ts'
import { fetchCriticalIssuesTrend } from './fetchCriticalIssuesTrend.ts'
import { fetchFalsePositives } from './fetchFalsePositives.ts'
import { fetchImportedFinding } from './fetchImportedFinding.ts'
import { fetchImportedRules } from './fetchImportedRules.ts'
import { fetchIssueDeadlines } from './fetchIssueDeadlines.ts'
import { fetchIssueFromTestRunResultDetails } from './fetchIssueFromTestRunResultDetails.ts'
import { fetchIssueGroups } from './fetchIssueGroups.ts'
import { fetchIssueHistory } from './fetchIssueHistory.ts'
import { fetchIssuesByApis } from './fetchIssuesByApis.ts'
import { fetchIssuesFromCollections } from './fetchIssuesFromCollections.ts'
import { fetchIssuesFromResultIds } from './fetchIssuesFromResultIds.ts'
import { fetchIssueTags } from './fetchIssueTags.ts'
import { fetchOpenIssuesTrend } from './fetchOpenIssuesTrend.ts'
import { fetchRemediationInfo } from './fetchRemediationInfo.ts'
import { fetchReports } from './fetchReports.ts'
import { fetchSavedViews } from './fetchSavedViews.ts'
import { fetchSeverityInfoForIssues } from './fetchSeverityInfoForIssues.ts'
import { fetchTestCoverageData } from './fetchTestCoverageData.ts'
import { fetchTestingRunResult } from './fetchTestingRunResult.ts'
import { fetchTestingRunResultSummaries } from './fetchTestingRunResultSummaries.ts'
import { fetchTestingRunResultSummary } from './fetchTestingRunResultSummary.ts'
import { fetchTestingRunResultsSummary } from './fetchTestingRunResultsSummary.ts'
import { fetchTestResultsStatsCount } from './fetchTestResultsStatsCount.ts'
import { fetchTestRunResultDetails } from './fetchTestRunResultDetails.ts'
import { fetchTestRunResultsCount } from './fetchTestRunResultsCount.ts'
import { fetchVulnerableTestingRunResultsFromIssues } from './fetchVulnerableTestingRunResultsFromIssues.ts'
import { findTotalIssuesByDay } from './findTotalIssuesByDay.ts'
import { generateReportPDF } from './generateReportPDF.ts'
import { getAllTestsCountMap } from './getAllTestsCountMap.ts'
import { getReportFilters } from './getReportFilters.ts'
import { saveView } from './saveView.ts'
import { tagIssues } from './tagIssues.ts'
import { undoIssueStatus } from './undoIssueStatus.ts'
import { updateFalsePositive } from './updateFalsePositive.ts'
import { updateIssueDeadlines } from './updateIssueDeadlines.ts'
import { updateIssueDescription } from './updateIssueDescription.ts'
import { updateIssueStatus } from './updateIssueStatus.ts'

/** Issues, results of tests, and the catalogue of tests. */
export const issueHandlers = {
  addFalsePositive,
  commentIssue,
  deleteFalsePositive,
  deleteSavedView,
  fetchFalsePositives,
  fetchImportedFinding,
  fetchImportedRules,
  fetchIssueDeadlines,
  fetchIssueTags,
  fetchSavedViews,
  saveView,
  tagIssues,
  undoIssueStatus,
  updateFalsePositive,
  updateIssueDeadlines,
  assignIssue,
  bulkAssignIssues,
  bulkUpdateIssueSeverity,
  bulkUpdateIssueStatus,
  bulkUpdateTestResultsSeverity,
  downloadReportPDF,
  exportTestResultEvidence,
  fetchAffectedEndpoints,
  fetchAllIssues,
  fetchAllSubCategories,
  fetchCriticalIssuesTrend,
  fetchIssueFromTestRunResultDetails,
  fetchIssueGroups,
  fetchIssueHistory,
  fetchIssuesByApis,
  fetchIssuesFromCollections,
  fetchIssuesFromResultIds,
  fetchOpenIssuesTrend,
  fetchRemediationInfo,
  fetchReports,
  fetchSeverityInfoForIssues,
  fetchTestCoverageData,
  fetchTestResultsStatsCount,
  fetchTestRunResultDetails,
  fetchTestRunResultsCount,
  fetchTestingRunResult,
  fetchTestingRunResultSummaries,
  fetchTestingRunResultSummary,
  fetchTestingRunResultsSummary,
  fetchVulnerableTestingRunResultsFromIssues,
  findTotalIssuesByDay,
  generateReportPDF,
  getAllTestsCountMap,
  getReportFilters,
  updateIssueDescription,
  updateIssueStatus,
} satisfies Handlers
