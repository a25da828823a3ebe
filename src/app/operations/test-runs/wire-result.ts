import type { TestAttempt, TestResult } from '../../../contract/index.ts'
import { type Exchange, type HeaderList, writeSampleMessage } from '../../../http/index.ts'
import { renderObjectId } from '../../../kit/index.ts'
import type { Evidence, ResultDetail, ResultView } from '../../../testing/index.ts'

const PROVEN = 100

/** A result on the wire without its attempts. */
function wireBare(result: ResultView): Omit<TestResult, 'testResults'> {
  return {
    id: renderObjectId(result.id),
    hexId: result.id,
    testRunId: renderObjectId(result.runId),
    testRunHexId: result.runId,
    testRunResultSummaryId: renderObjectId(result.summaryId),
    testRunResultSummaryHexId: result.summaryId,
    apiInfoKey: { method: result.method, apiCollectionId: result.collectionId, url: result.url },
    testSuperType: result.category,
    testSubType: result.testId,
    vulnerable: result.selection === 'VULNERABLE',
    confidencePercentage: PROVEN,
    startTimestamp: result.startedAt,
    endTimestamp: result.endedAt,
    errorsList: result.errors,
    singleTypeInfos: [],
    rerun: result.isRerun,
    ignoredResult: result.selection === 'VULNERABLE' && result.issueStatus === 'IGNORED',
    issueStatus: result.selection === 'VULNERABLE' ? result.issueStatus : null,
    issueSeverity: result.selection === 'VULNERABLE' ? result.issueSeverity : null,
    workflowTest: null,
    callbackUuids: null,
    callbackCheckPending: false,
    testLogs: [],
    aiSummaryTraces: null,
    generatedRequest: result.isGenerated,
  }
}

function wireAttempt(result: ResultView, given: Partial<TestAttempt>): TestAttempt {
  return {
    vulnerable: result.selection === 'VULNERABLE',
    confidence: result.severity,
    message: null,
    originalMessage: null,
    errors: result.errors,
    percentageMatch: result.percentageMatch,
    requiresConfig: result.selection === 'SKIPPED_EXEC_NEED_CONFIG',
    testInfo: null,
    validationReason: result.explanation,
    stepId: null,
    conversationId: null,
    resultTypeAgentic: false,
    externalApiTokens: 0,
    ...given,
  }
}

/** A result in a list: one attempt with a shortened message. */
export function wireLightResult(result: ResultView): TestResult {
  return { ...wireBare(result), testResults: [wireAttempt(result, { message: result.message })] }
}

/**
 * A result with every attempt in order; without evidence it has one entry that says what happened. The entry of a
 * confirmed finding alone counts as vulnerable.
 */
export function wireFullResult(result: ResultDetail, only: 'all' | 'vulnerable' = 'all'): TestResult {
  const evidence = result.evidence === null ? null : (JSON.parse(result.evidence) as Evidence)
  const bare = {
    ...wireBare(result),
    callbackUuids: evidence?.callbackIds ? [...evidence.callbackIds] : null,
  }
  if (evidence === null || evidence.attempts.length === 0) {
    return { ...bare, testResults: [wireAttempt(result, { message: result.message })] }
  }
  const isVulnerable = result.selection === 'VULNERABLE'
  const original = evidence.baseline && writeSampleMessage(evidence.baseline)
  const shown = evidence.attempts.filter((one) => only === 'all' || !isVulnerable || one.validates)
  return {
    ...bare,
    testResults: shown.map((one) =>
      wireAttempt(result, {
        vulnerable: isVulnerable && one.validates,
        message: attemptMessage(one.exchange),
        originalMessage: original,
        percentageMatch: one.percentageMatch,
        stepId: one.step,
      }),
    ),
  }
}

/** The request and response of an attempt as JSON text, in the form that results of tests have. */
function attemptMessage({ request, response }: Exchange): string {
  const cut = request.target.indexOf('?')
  return JSON.stringify({
    request: {
      url: cut < 0 ? request.target : request.target.slice(0, cut),
      method: request.method,
      type: request.version,
      queryParams: cut < 0 ? null : request.target.slice(cut + 1),
      body: request.body,
      headers: headerText(request.headers),
    },
    response: {
      statusCode: response.status,
      body: response.body,
      headers: headerText(response.headers),
    },
  })
}

/** Headers as the text of a JSON object with lower-case names; repeats are joined. */
function headerText(headers: HeaderList): string {
  const joined = new Map<string, string>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase()
    const before = joined.get(name)
    joined.set(name, before === undefined ? headers[at + 1]! : `${before}, ${headers[at + 1]!}`)
  }
  return JSON.stringify(Object.fromEntries(joined))
}
