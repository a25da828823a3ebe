import type { Static } from 'typebox'
import {
  absentable,
  decimal,
  document,
  epochSeconds,
  flag,
  hexId,
  integer,
  list,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { issueStatuses, resultSeverities, severities } from '../vocabulary.ts'
import { endpointKey } from './endpoint-key.ts'
import { objectId } from './object-id.ts'

const testAttempt = model('TestAttempt', 'One request of a test and what it showed.', {
  vulnerable: flag(),
  confidence: oneOf(resultSeverities, { description: 'The severity; that of the first entry counts.' }),
  message: nullable(
    document({
      description:
        'JSON text {"request":{url, method, type, queryParams, body, headers}, "response":{statusCode, body, headers}}; cut down in lists.',
    }),
  ),
  originalMessage: nullable(document({ description: 'The sample message that the request was made from.' })),
  errors: nullable(list(text())),
  percentageMatch: decimal({ description: 'Likeness of the two responses, 0 to 100.' }),
  requiresConfig: flag({ description: 'A setting that the test needs is missing.' }),
  testInfo: nullable(openObject()),
  validationReason: nullable(text({ description: 'Why the verdict is so.' })),
  stepId: nullable(text({ description: 'Step of a test of several steps.' })),
  conversationId: nullable(text()),
  resultTypeAgentic: flag(),
  externalApiTokens: integer(),
})

export const testResult = model('TestResult', 'The result of one test on one endpoint in one execution.', {
  id: objectId,
  hexId: hexId({ description: 'Identifier, as testingRunResultHexId takes it.' }),
  testRunId: objectId,
  testRunHexId: hexId({ description: 'The run.' }),
  testRunResultSummaryId: objectId,
  testRunResultSummaryHexId: hexId({ description: 'The execution.' }),
  apiInfoKey: endpointKey,
  testSuperType: text({ description: 'Name of the category.' }),
  testSubType: text({ description: 'Id of the test.' }),
  vulnerable: flag(),
  confidencePercentage: integer({ description: '0 to 100.' }),
  startTimestamp: epochSeconds(),
  endTimestamp: epochSeconds(),
  errorsList: list(text(), { description: 'What kept the test from a verdict.' }),
  singleTypeInfos: list(openObject(), { description: 'Parameters that the finding is about.' }),
  rerun: flag({ description: 'Chosen to be run again.' }),
  ignoredResult: flag({ description: 'Its issue is ignored now.' }),
  issueStatus: nullable(
    oneOf(issueStatuses, {
      description:
        'Status of the issue of a finding now. The result itself is a record: triage never changes it.',
    }),
  ),
  issueSeverity: nullable(oneOf(severities, { description: 'Severity of the issue of a finding now.' })),
  workflowTest: nullable(openObject()),
  callbackUuids: nullable(list(text())),
  callbackCheckPending: flag({ description: 'A callback of the target may still come.' }),
  testLogs: list(openObject()),
  aiSummaryTraces: nullable(text()),
  generatedRequest: absentable(
    flag({ description: 'The request that was changed came from a document, not from traffic.' }),
  ),
  testResults: list(testAttempt, {
    description: 'Attempts in order; only the last one in lists of results.',
  }),
})

/** Counts of the results of one execution by selection. */
export const testResultCounts = model(
  'TestResultCounts',
  'Results of one execution by selection. SECURED is ALL less the sum of the other selections of results.',
  {
    VULNERABLE: integer({ description: 'Everything that was found, whatever became of the issues.' }),
    SKIPPED_EXEC_NEED_CONFIG: integer(),
    SKIPPED_EXEC: integer(),
    ALL: integer(),
    SKIPPED_EXEC_API_REQUEST_FAILED: integer(),
    IGNORED_ISSUES: integer({ description: 'The part of VULNERABLE whose issues are ignored or fixed now.' }),
  },
)

export type TestResult = Static<typeof testResult>
export type TestAttempt = Static<typeof testAttempt>
