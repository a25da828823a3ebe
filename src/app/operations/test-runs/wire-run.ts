import { pageLimits, type TestRun, type TestRunSummary } from '../../../contract/index.ts'
import { renderObjectId } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import {
  countSkippedReasons,
  type ExecutionView,
  maskRequestChanges,
  type RunView,
} from '../../../testing/index.ts'

export function wireRun(run: RunView): TestRun {
  const { configuration } = run
  return {
    id: renderObjectId(run.id),
    hexId: run.id,
    name: run.name,
    state: run.state,
    userEmail: run.userLogin,
    triggeredBy: run.triggeredBy,
    scheduleTimestamp: run.scheduledAt,
    pickedUpTimestamp: run.pickedUpAt,
    endTimestamp: run.endedAt,
    periodInSeconds: run.periodSeconds,
    ...(run.timeZone === '' ? {} : { scheduleTimeZone: run.timeZone }),
    testRunTime: run.runSeconds,
    maxConcurrentRequests: run.maxConcurrent,
    maxAgentTokens: -1,
    testIdConfig: configuration.id,
    testingRunConfig: {
      id: configuration.id,
      testSubCategoryList: configuration.testIds,
      authMechanismId: null,
      testRoleId: configuration.roleId,
      overriddenTestAppUrl: configuration.overrideUrl,
      configsAdvancedSettings:
        configuration.requestChanges && maskRequestChanges(configuration.requestChanges),
      cleanUp: configuration.cleansUp,
      writeLevel: configuration.writeLevel,
      testSuiteIds: configuration.suiteIds,
      autoTicketingDetails: configuration.ticketing,
      collectionWiseApiInfoKey: null,
    },
    newTestRun: true,
    miniTestingServiceName: run.executor,
    allowedMiniTestingServiceNames: run.allowedExecutors,
    selectedSlackChannelId: run.slackChannelId,
    sendSlackAlert: run.sendsSlack,
    sendMsTeamsAlert: run.sendsTeams,
    sendPendingTestsWebhookTimestamp: 0,
    doNotMarkIssuesAsFixed: run.keepsIssuesOpen,
    runAutomatedTests: false,
    dashboardContext: 'API',
    testingEndpoints: wireTarget(run),
  }
}

function wireTarget(run: RunView): TestRun['testingEndpoints'] {
  const target = { type: run.targetType, operator: 'AND' }
  if (run.targetType === 'CUSTOM') return { ...target, apisList: run.targetEndpoints ?? [] }
  if (run.targetType === 'COLLECTION_WISE') return { ...target, apiCollectionId: run.collectionIds[0] ?? 0 }
  return { ...target, apiCollectionIds: run.collectionIds }
}

export function wireSummary(execution: ExecutionView): TestRunSummary {
  return {
    hexId: execution.id,
    id: renderObjectId(execution.id),
    testingRunId: renderObjectId(execution.runId),
    originalTestingRunResultSummaryId:
      execution.originalId === null ? null : renderObjectId(execution.originalId),
    testingRunHexId: execution.runId,
    state: execution.state,
    testResultsCount: execution.resultsCount,
    totalApis: execution.endpointsCount,
    testInitiatedCount: execution.testsCount,
    testIdConfig: execution.configId,
    startTimestamp: execution.startedAt,
    endTimestamp: execution.endedAt,
    countIssues: {
      CRITICAL: execution.critical,
      HIGH: execution.high,
      MEDIUM: execution.medium,
      LOW: execution.low,
    },
    countCauses: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, ...known(execution.causes) },
    newTestingSummary: true,
    metadata: execution.metadata,
  }
}

/** INFO is not a severity of issues. */
function known({ INFO: _, ...causes }: ExecutionView['causes']): Partial<TestRunSummary['countIssues']> {
  return causes
}

/** An execution on the wire with the reasons for its checks without a verdict; `visible` null = all collections. */
export async function wireExplainedSummary(
  store: Store,
  execution: ExecutionView,
  visible: readonly number[] | null,
): Promise<TestRunSummary> {
  const reasons = await countSkippedReasons(store, execution.id, visible, pageLimits.skippedReasons.most)
  return {
    ...wireSummary(execution),
    skippedCheckReasons: reasons.map(({ selection, outcome, ...counted }) => ({
      queryMode: selection,
      error: outcome,
      ...counted,
    })),
  }
}
