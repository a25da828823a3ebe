import type { Handlers } from '../../handler.ts'
import { addAuthMechanism } from './addAuthMechanism.ts'
import { addAuthToRole } from './addAuthToRole.ts'
import { addSlackWebhook } from './addSlackWebhook.ts'
import { addTestRoles } from './addTestRoles.ts'
import { createTestSuite } from './createTestSuite.ts'
import { deleteAuthFromRole } from './deleteAuthFromRole.ts'
import { deleteSlackWebhook } from './deleteSlackWebhook.ts'
import { deleteTestRole } from './deleteTestRole.ts'
import { deleteTestRuns } from './deleteTestRuns.ts'
import { deleteTestRunsFromSummaries } from './deleteTestRunsFromSummaries.ts'
import { deleteTestSuite } from './deleteTestSuite.ts'
import { fetchActiveTestRunsStatus } from './fetchActiveTestRunsStatus.ts'
import { fetchAllTestSuites } from './fetchAllTestSuites.ts'
import { fetchAuthMechanismData } from './fetchAuthMechanismData.ts'
import { fetchMiniTestingServiceNames } from './fetchMiniTestingServiceNames.ts'
import { fetchSlackWebhooks } from './fetchSlackWebhooks.ts'
import { fetchTestingRunResults } from './fetchTestingRunResults.ts'
import { fetchTestRoles } from './fetchTestRoles.ts'
import { fetchVulnerableTestRunResults } from './fetchVulnerableTestRunResults.ts'
import { modifyTestSuite } from './modifyTestSuite.ts'
import { retrieveAllCollectionTests } from './retrieveAllCollectionTests.ts'
import { startTest } from './startTest.ts'
import { stopTest } from './stopTest.ts'
import { updateAuthInRole } from './updateAuthInRole.ts'
import { updateTestRoles } from './updateTestRoles.ts'

/** Test runs, roles, suites and chat webhooks. */
export const testRunHandlers = {
  addAuthMechanism,
  addAuthToRole,
  addSlackWebhook,
  addTestRoles,
  createTestSuite,
  deleteAuthFromRole,
  deleteSlackWebhook,
  deleteTestRole,
  deleteTestRuns,
  deleteTestRunsFromSummaries,
  deleteTestSuite,
  fetchActiveTestRunsStatus,
  fetchAllTestSuites,
  fetchAuthMechanismData,
  fetchMiniTestingServiceNames,
  fetchSlackWebhooks,
  fetchTestRoles,
  fetchTestingRunResults,
  fetchVulnerableTestRunResults,
  modifyTestSuite,
  retrieveAllCollectionTests,
  startTest,
  stopTest,
  updateAuthInRole,
  updateTestRoles,
} satisfies Handlers
