import type { Handlers } from '../../handler.ts'
import { addAuthMechanism } from './addAuthMechanism.ts'
import { addAuthToRole } from './addAuthToRole.ts'
import { addSlackWebhook } from './addSlackWebhook.ts'
import { addTestRoles } from './addTestRoles.ts'
import { compareExecutions } from './compareExecutions.ts'
import { createTestSuite } from './createTestSuite.ts'
import { deleteAuthFromRole } from './deleteAuthFromRole.ts'
import { deleteSlackWebhook } from './deleteSlackWebhook.ts'
import { deleteTestRole } from './deleteTestRole.ts'
import { deleteTestRuns } from './deleteTestRuns.ts'
import { deleteTestRunsFromSummaries } from './deleteTestRunsFromSummaries.ts'
import { deleteTestSuite } from './deleteTestSuite.ts'
import { deleteTestTemplate } from './deleteTestTemplate.ts'
import { dryRunTest } from './dryRunTest.ts'
import { fetchAccessMatrix } from './fetchAccessMatrix.ts'
import { fetchActiveTestRunsStatus } from './fetchActiveTestRunsStatus.ts'
import { fetchAllTestSuites } from './fetchAllTestSuites.ts'
import { fetchAuthMechanismData } from './fetchAuthMechanismData.ts'
import { fetchCoverageMatrix } from './fetchCoverageMatrix.ts'
import { fetchDistinctResponseCodes } from './fetchDistinctResponseCodes.ts'
import { fetchEndpointResults } from './fetchEndpointResults.ts'
import { fetchMetadataFilters } from './fetchMetadataFilters.ts'
import { fetchMiniTestingServiceNames } from './fetchMiniTestingServiceNames.ts'
import { fetchModuleInfo } from './fetchModuleInfo.ts'
import { fetchRunProgress } from './fetchRunProgress.ts'
import { fetchSlackWebhooks } from './fetchSlackWebhooks.ts'
import { fetchSubCategoriesByTestSubTypes } from './fetchSubCategoriesByTestSubTypes.ts'
import { fetchTemplateProblems } from './fetchTemplateProblems.ts'
import { fetchTestContent } from './fetchTestContent.ts'
import { fetchTestingRunPlaygroundStatus } from './fetchTestingRunPlaygroundStatus.ts'
import { fetchTestingRunResults } from './fetchTestingRunResults.ts'
import { fetchTestingRunsRanges } from './fetchTestingRunsRanges.ts'
import { fetchTestRoles } from './fetchTestRoles.ts'
import { fetchTestRunLogs } from './fetchTestRunLogs.ts'
import { fetchTestRunStatusSummaries } from './fetchTestRunStatusSummaries.ts'
import { fetchVulnerableTestRunResults } from './fetchVulnerableTestRunResults.ts'
import { getIssueSummaryInfo } from './getIssueSummaryInfo.ts'
import { getUniqueHostsTested } from './getUniqueHostsTested.ts'
import { handleRefreshTableCount } from './handleRefreshTableCount.ts'
import { makeTestRecord } from './makeTestRecord.ts'
import { modifyTestingRunConfig } from './modifyTestingRunConfig.ts'
import { modifyTestSuite } from './modifyTestSuite.ts'
import { retestIssues } from './retestIssues.ts'
import { retrieveAllCollectionTests } from './retrieveAllCollectionTests.ts'
import { runTestForGivenTemplate } from './runTestForGivenTemplate.ts'
import { saveTestEditorFile } from './saveTestEditorFile.ts'
import { setTestInactive } from './setTestInactive.ts'
import { shareTestRole } from './shareTestRole.ts'
import { startTest } from './startTest.ts'
import { stopAllTests } from './stopAllTests.ts'
import { stopTest } from './stopTest.ts'
import { tryTestLogin } from './tryTestLogin.ts'
import { updateAuthInRole } from './updateAuthInRole.ts'
import { updateModuleInfo } from './updateModuleInfo.ts'
import { updateTestRoles } from './updateTestRoles.ts'

/** Test runs, roles, suites and chat webhooks. */
export const testRunHandlers = {
  addAuthMechanism,
  addAuthToRole,
  addSlackWebhook,
  addTestRoles,
  compareExecutions,
  createTestSuite,
  deleteAuthFromRole,
  deleteSlackWebhook,
  deleteTestRole,
  deleteTestRuns,
  deleteTestRunsFromSummaries,
  deleteTestSuite,
  dryRunTest,
  tryTestLogin,
  makeTestRecord,
  fetchRunProgress,
  fetchCoverageMatrix,
  fetchEndpointResults,
  fetchAccessMatrix,
  deleteTestTemplate,
  fetchActiveTestRunsStatus,
  fetchAllTestSuites,
  fetchAuthMechanismData,
  fetchDistinctResponseCodes,
  fetchMetadataFilters,
  fetchMiniTestingServiceNames,
  fetchModuleInfo,
  fetchSlackWebhooks,
  fetchSubCategoriesByTestSubTypes,
  fetchTemplateProblems,
  fetchTestContent,
  fetchTestRoles,
  fetchTestRunLogs,
  fetchTestRunStatusSummaries,
  fetchTestingRunPlaygroundStatus,
  fetchTestingRunResults,
  fetchTestingRunsRanges,
  fetchVulnerableTestRunResults,
  getIssueSummaryInfo,
  getUniqueHostsTested,
  handleRefreshTableCount,
  modifyTestSuite,
  modifyTestingRunConfig,
  retestIssues,
  retrieveAllCollectionTests,
  runTestForGivenTemplate,
  saveTestEditorFile,
  setTestInactive,
  shareTestRole,
  startTest,
  stopAllTests,
  stopTest,
  updateAuthInRole,
  updateModuleInfo,
  updateTestRoles,
} satisfies Handlers
